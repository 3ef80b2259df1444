module Main (main) where

import qualified Data.Text.IO as Text
import Gristmill.Balance (balances)
import Gristmill.Parser (parseLedger)
import Gristmill.Report (printBalances, printReport)
import Options.Applicative

data Command = Balance FilePath | Report FilePath

command' :: Parser Command
command' =
  hsubparser $
    command "balance" (info (Balance <$> file) (progDesc "Print the balance of every account"))
      <> command "report" (info (Report <$> file) (progDesc "Print the report for the tax office"))
  where
    file = strArgument (metavar "LEDGER")

main :: IO ()
main = do
  chosen <- execParser (info (command' <**> helper) (progDesc "Balances and reports from a plain text ledger"))
  case chosen of
    Balance path -> Text.readFile path >>= either fail (printBalances . balances) . parseLedger
    Report path -> Text.readFile path >>= either fail printReport . parseLedger
