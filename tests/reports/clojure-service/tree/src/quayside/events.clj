(ns quayside.events
  "Tells on Kafka what moved."
  (:require [integrant.core :as ig]
            [jackdaw.client :as kafka]))

(defn moved! [producer container]
  (kafka/produce! producer {:topic-name "yard.moved"} (:id container) container))

(defmethod ig/init-key :quayside/events [_ options]
  (kafka/producer options))
