// Package api holds the HTTP handlers: scans in, parcels out.
package api

import (
	"encoding/json"
	"net/http"

	"github.com/aalders-courier/parcelld/internal/route"
)

type Store interface{ Add(parcel, depot string) error }
type Bus interface{ Publish(subject string, v any) error }

type scan struct {
	Parcel string `json:"parcel"`
	Depot  string `json:"depot"`
}

// New returns the handler of /v1/.
func New(s Store, b Bus) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST /v1/scans", func(w http.ResponseWriter, r *http.Request) {
		var in scan
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil || !route.Known(in.Depot) {
			http.Error(w, "bad scan", http.StatusBadRequest)
			return
		}
		if err := s.Add(in.Parcel, in.Depot); err != nil {
			http.Error(w, "store", http.StatusInternalServerError)
			return
		}
		b.Publish("parcels.scanned", in)
		w.WriteHeader(http.StatusAccepted)
	})
	return mux
}
