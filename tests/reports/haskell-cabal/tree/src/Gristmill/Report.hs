-- | Prints what was summed.
module Gristmill.Report (printBalances, printReport) where

import Data.Map.Strict (Map)
import qualified Data.Map.Strict as Map
import qualified Data.Text as Text
import Gristmill.Ledger

printBalances :: Map Account Integer -> IO ()
printBalances = mapM_ line . Map.toList
  where
    line (name, sum') = putStrLn (show sum' <> "  " <> Text.unpack name)

printReport :: Ledger -> IO ()
printReport (Ledger transactions) = putStrLn (show (length transactions) <> " transactions")
