package patience

import (
	"context"
	"errors"
	"testing"
	"time"
)

func TestDoSucceedsAtLast(t *testing.T) {
	n := 0
	v, err := Do(context.Background(), Exponential(time.Microsecond, time.Millisecond), func(context.Context) (int, error) {
		n++
		if n < 3 {
			return 0, errors.New("not yet")
		}
		return n, nil
	})
	if v != 3 || err != nil {
		t.Fatal(v, err)
	}
}

func TestStopIsNotRetried(t *testing.T) {
	n := 0
	_, err := Do(context.Background(), Exponential(1, 1), func(context.Context) (int, error) {
		n++
		return 0, Stop(errors.New("gone"))
	})
	if n != 1 || err == nil {
		t.Fatal(n, err)
	}
}

func TestContextEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := Do(ctx, Exponential(time.Hour, time.Hour), func(context.Context) (int, error) { return 0, errors.New("x") })
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
}
