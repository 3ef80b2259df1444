// Package events tells other systems what happens to parcels, over NATS.
package events

import (
	"encoding/json"
	"time"

	"github.com/nats-io/nats.go"
)

type Bus struct{ conn *nats.Conn }

func Connect(url string) (*Bus, error) {
	if url == "" {
		url = nats.DefaultURL
	}
	conn, err := nats.Connect(url, nats.MaxReconnects(-1), nats.ReconnectWait(2*time.Second))
	if err != nil {
		return nil, err
	}
	return &Bus{conn: conn}, nil
}

func (b *Bus) Publish(subject string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return b.conn.Publish(subject, data)
}
