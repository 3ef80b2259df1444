(ns build
  (:require [clojure.tools.build.api :as b]))

(def lib 'org.example/quayside)
(def version (format "0.8.%s" (b/git-count-revs nil)))
(def class-dir "target/classes")
(def uber-file (format "target/quayside-%s.jar" version))

(defn clean [_] (b/delete {:path "target"}))

(defn uber
  "Copy resources, compile, and put everything into one jar."
  [_]
  (clean nil)
  (let [basis (b/create-basis {:project "deps.edn"})]
    (b/copy-dir {:src-dirs ["src" "resources"] :target-dir class-dir})
    (b/compile-clj {:basis basis :src-dirs ["src"] :class-dir class-dir})
    (b/uber {:class-dir class-dir :uber-file uber-file :basis basis :main 'quayside.main})))
