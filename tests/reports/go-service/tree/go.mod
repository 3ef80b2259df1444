module github.com/aalders-courier/parcelld

go 1.22

require (
	github.com/jackc/pgx/v5 v5.6.0
	github.com/nats-io/nats.go v1.34.2
	github.com/prometheus/client_golang v1.19.1
)
