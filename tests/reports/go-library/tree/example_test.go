package patience_test

import (
	"context"
	"fmt"
	"time"

	"github.com/nagare-go/patience/v3"
)

func ExampleDo() {
	v, _ := patience.Do(context.Background(), patience.Exponential(time.Millisecond, time.Second),
		func(context.Context) (string, error) { return "done", nil })
	fmt.Println(v)
	// Output: done
}

func ExampleWithBudget() {
	b := patience.WithBudget(0, patience.Exponential(1, 1))
	_, ok := b.Wait(0)
	fmt.Println(ok)
	// Output: false
}
