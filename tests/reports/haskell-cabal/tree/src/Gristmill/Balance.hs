-- | Sums per account, and whether a transaction adds up.
module Gristmill.Balance (balances, isBalanced) where

import Data.Map.Strict (Map)
import qualified Data.Map.Strict as Map
import Gristmill.Ledger

balances :: Ledger -> Map Account Integer
balances (Ledger transactions) =
  Map.fromListWith (+) [(account p, cents p) | t <- transactions, p <- postings t]

isBalanced :: Transaction -> Bool
isBalanced = (== 0) . sum . map cents . postings
