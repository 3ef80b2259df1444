(ns quayside.main
  "Starts the system: store, events, HTTP."
  (:gen-class)
  (:require [aero.core :as aero]
            [clojure.java.io :as io]
            [integrant.core :as ig]
            quayside.events
            quayside.http
            quayside.store))

(defn config []
  (aero/read-config (io/resource "config.edn")))

(defn -main [& _]
  (let [{:keys [http store kafka]} (config)]
    (ig/init {:quayside/store store
              :quayside/events kafka
              :quayside/http (assoc http :store (ig/ref :quayside/store))})))
