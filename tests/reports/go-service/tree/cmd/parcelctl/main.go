// Command parcelctl looks up and corrects parcels.
package main

import (
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	server := flag.String("server", "http://localhost:8080", "address of parcelld")
	flag.Parse()
	if flag.NArg() != 1 {
		fmt.Fprintln(os.Stderr, "usage: parcelctl [-server URL] PARCEL")
		os.Exit(2)
	}
	resp, err := http.Get(*server + "/v1/parcels/" + flag.Arg(0))
	if err != nil {
		fmt.Fprintln(os.Stderr, "parcelctl:", err)
		os.Exit(1)
	}
	defer resp.Body.Close()
	io.Copy(os.Stdout, resp.Body)
}
