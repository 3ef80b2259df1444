// Command parcelld tracks parcels through depots.
package main

import (
	"context"
	"log/slog"
	"net/http"
	"os"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/aalders-courier/parcelld/internal/api"
	"github.com/aalders-courier/parcelld/internal/events"
	"github.com/aalders-courier/parcelld/internal/store"
)

// version is set by the linker.
var version = "dev"

func main() {
	if err := run(context.Background()); err != nil {
		slog.Error("parcelld", "err", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	db, err := store.Open(ctx, os.Getenv("PARCELLD_DATABASE_URL"))
	if err != nil {
		return err
	}
	bus, err := events.Connect(os.Getenv("PARCELLD_NATS_URL"))
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/metrics", promhttp.Handler())
	mux.Handle("/v1/", api.New(db, bus))
	addr := os.Getenv("PARCELLD_ADDR")
	if addr == "" {
		addr = ":8080"
	}
	slog.Info("listening", "addr", addr, "version", version)
	return http.ListenAndServe(addr, mux)
}
