(ns user
  (:require [integrant.repl :as repl]
            [quayside.main :as main]))

(repl/set-prep! main/config)
(comment (repl/go) (repl/reset))
