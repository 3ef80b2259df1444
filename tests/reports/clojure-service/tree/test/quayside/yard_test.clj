(ns quayside.yard-test
  (:require [clojure.test :refer [deftest is testing]]
            [quayside.yard :as yard]))

(def stack (for [tier (range 1 6)] {:block "A" :slot 1 :tier tier}))

(deftest full-stacks-are-left-alone
  (is (= [2] (yard/free-slots (conj stack {:block "A" :slot 2 :tier 1}) "A"))))

(deftest nothing-fits
  (testing "a full block"
    (is (nil? (yard/place stack {:block "A"})))))
