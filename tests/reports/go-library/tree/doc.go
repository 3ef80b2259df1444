// Package patience retries what may fail.
//
// A Strategy says how long to wait before the next attempt; Do runs a function
// until it succeeds, a context ends, a Budget is used up, or the function
// returns an error wrapped with Stop.
package patience
