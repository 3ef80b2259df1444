-- | What a ledger is made of: transactions with postings to accounts.
module Gristmill.Ledger where

import Data.Text (Text)
import Data.Time (Day)

type Account = Text

data Posting = Posting {account :: Account, cents :: Integer}
  deriving (Eq, Show)

data Transaction = Transaction {day :: Day, payee :: Text, postings :: [Posting]}
  deriving (Eq, Show)

newtype Ledger = Ledger [Transaction]
  deriving (Eq, Show)
