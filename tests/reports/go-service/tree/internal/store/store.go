// Package store keeps scans in PostgreSQL.
package store

import (
	"context"

	"github.com/jackc/pgx/v5/pgxpool"
)

type Store struct{ pool *pgxpool.Pool }

func Open(ctx context.Context, url string) (*Store, error) {
	pool, err := pgxpool.New(ctx, url)
	if err != nil {
		return nil, err
	}
	return &Store{pool: pool}, nil
}

// Add records that a parcel was seen at a depot.
func (s *Store) Add(parcel, depot string) error {
	_, err := s.pool.Exec(context.Background(),
		"INSERT INTO scans (parcel, depot) VALUES ($1, $2)", parcel, depot)
	return err
}
