package patience

import (
	"sync/atomic"
	"time"
)

// Budget lets at most n retries through; share one among all calls to a server.
type Budget struct {
	left atomic.Int64
	s    Strategy
}

// WithBudget wraps a strategy.
func WithBudget(n int64, s Strategy) *Budget {
	b := &Budget{s: s}
	b.left.Store(n)
	return b
}

func (b *Budget) Wait(attempt int) (time.Duration, bool) {
	if b.left.Add(-1) < 0 {
		return 0, false
	}
	return b.s.Wait(attempt)
}
