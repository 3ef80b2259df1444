module BalanceSpec (spec) where

import qualified Data.Map.Strict as Map
import Gristmill.Balance
import Gristmill.Ledger
import Test.Hspec

spec :: Spec
spec = describe "balances" $ do
  it "is empty for an empty ledger" $
    balances (Ledger []) `shouldBe` Map.empty
  it "sums the postings of an account" $
    Map.lookup "giro" (balances (Ledger [])) `shouldBe` Nothing
