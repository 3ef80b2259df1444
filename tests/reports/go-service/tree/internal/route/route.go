// Package route works out the next depot of a parcel.
package route

// Known tells whether a depot code exists.
func Known(depot string) bool {
	_, ok := next[depot]
	return ok
}

// Next returns the depot that follows, or "" at the last one.
func Next(depot string) string { return next[depot] }

// Hops counts the depots that are still to come.
func Hops(depot string) int {
	n := 0
	for d := Next(depot); d != "" && n < len(next); d = Next(d) {
		n++
	}
	return n
}
