{
-- | The grammar of a ledger.
module Gristmill.Parser (parseLedger) where

import Data.Text (Text)
import Gristmill.Ledger
import Gristmill.Lexer
}

%name ledger
%tokentype { Token }
%error { const (Left "this is no ledger") }
%monad { Either String }

%token
  date   { Date $$ }
  amount { Amount $$ }
  word   { Word $$ }

%%

Ledger : {- empty -}          { [] }
       | Ledger Transaction   { $1 ++ [$2] }

Transaction : date word Postings { transaction $1 $2 $3 }

Postings : Posting            { [$1] }
         | Postings Posting   { $1 ++ [$2] }

Posting : word amount         { posting $1 $2 }

{
parseLedger :: Text -> Either String Ledger
parseLedger = fmap Ledger . ledger . tokens
}
