(ns quayside.store
  "Rows in PostgreSQL."
  (:require [integrant.core :as ig]
            [next.jdbc :as jdbc]))

(defn all [db]
  (jdbc/execute! db ["select id, block, slot, tier from containers"]))

(defmethod ig/init-key :quayside/store [_ spec]
  (jdbc/get-datasource spec))
