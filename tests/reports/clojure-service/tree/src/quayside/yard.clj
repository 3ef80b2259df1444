(ns quayside.yard
  "The rules of the yard: where a container may stand.")

(def max-tier 5)

(defn free-slots
  "Slots of a block on which one more container may be put."
  [containers block]
  (->> containers
       (filter #(= block (:block %)))
       (group-by :slot)
       (keep (fn [[slot stack]] (when (< (count stack) max-tier) slot)))
       sort))

(defn place
  "The slot for a container: the lowest stack, the nearest first."
  [containers {:keys [block]}]
  (first (free-slots containers block)))
