(ns quayside.http
  "Routes of the cranes."
  (:require [integrant.core :as ig]
            [quayside.store :as store]
            [quayside.yard :as yard]
            [reitit.ring :as ring]
            [ring.adapter.jetty :as jetty]))

(defn app [db]
  (ring/ring-handler
   (ring/router
    [["/health" {:get (constantly {:status 200 :body "ok"})}]
     ["/place" {:post (fn [request]
                        {:status 200 :body (str (yard/place (store/all db) (:params request)))})}]])))

(defmethod ig/init-key :quayside/http [_ {:keys [port store]}]
  (jetty/run-jetty (app store) {:port port :join? false}))
