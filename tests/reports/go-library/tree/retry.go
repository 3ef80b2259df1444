package patience

import (
	"context"
	"errors"
	"time"
)

type stop struct{ error }

func (s stop) Unwrap() error { return s.error }

// Stop marks an error that must not be tried again.
func Stop(err error) error { return stop{err} }

// Do calls f until it succeeds or trying makes no sense.
func Do[T any](ctx context.Context, s Strategy, f func(context.Context) (T, error)) (T, error) {
	for attempt := 0; ; attempt++ {
		v, err := f(ctx)
		if err == nil {
			return v, nil
		}
		var st stop
		if errors.As(err, &st) {
			return v, st.error
		}
		wait, ok := s.Wait(attempt)
		if !ok {
			return v, err
		}
		select {
		case <-ctx.Done():
			return v, errors.Join(ctx.Err(), err)
		case <-time.After(wait):
		}
	}
}
