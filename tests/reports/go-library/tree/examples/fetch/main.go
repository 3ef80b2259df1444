// Fetch gets a URL and does not give up at once.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/nagare-go/patience/v3"
)

func main() {
	status, err := patience.Do(context.Background(), patience.Exponential(100*time.Millisecond, 5*time.Second),
		func(context.Context) (string, error) {
			r, err := http.Get(os.Args[1])
			if err != nil {
				return "", err
			}
			defer r.Body.Close()
			return r.Status, nil
		})
	fmt.Println(status, err)
}
