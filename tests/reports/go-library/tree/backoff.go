package patience

import (
	"time"

	"github.com/nagare-go/patience/v3/internal/xorshift"
)

// Strategy says how long to wait before attempt n+1, and whether to try at all.
type Strategy interface {
	Wait(attempt int) (time.Duration, bool)
}

type exponential struct{ first, max time.Duration }

// Exponential doubles the wait from first up to max.
func Exponential(first, max time.Duration) Strategy { return exponential{first, max} }

func (e exponential) Wait(attempt int) (time.Duration, bool) {
	d := e.first << min(attempt, 30)
	if d > e.max || d <= 0 {
		d = e.max
	}
	return jitter(d), true
}

func jitter(d time.Duration) time.Duration {
	quarter := int64(d) / 4
	if quarter == 0 {
		return d
	}
	return d + time.Duration(int64(xorshift.Next()%uint64(2*quarter))-quarter)
}

func min(a, b int) int {
	if a < b {
		return a
	}
	return b
}
