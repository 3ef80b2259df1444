// Package xorshift is a fork of a small random generator, with atomics.
package xorshift

import "sync/atomic"

var state atomic.Uint64

func init() { state.Store(0x9e3779b97f4a7c15) }

// Next returns a number that is hard enough to guess for jitter.
func Next() uint64 {
	for {
		old := state.Load()
		x := old
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		if state.CompareAndSwap(old, x) {
			return x
		}
	}
}
