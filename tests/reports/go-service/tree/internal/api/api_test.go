package api

import (
	"net/http/httptest"
	"strings"
	"testing"
)

type fake struct{ added, published int }

func (f *fake) Add(string, string) error  { f.added++; return nil }
func (f *fake) Publish(string, any) error { f.published++; return nil }

func post(f *fake, body string) int {
	w := httptest.NewRecorder()
	New(f, f).ServeHTTP(w, httptest.NewRequest("POST", "/v1/scans", strings.NewReader(body)))
	return w.Code
}

func TestScanIsStoredAndPublished(t *testing.T) {
	f := &fake{}
	if code := post(f, `{"parcel":"NL-1","depot":"UTR"}`); code != 202 || f.added != 1 || f.published != 1 {
		t.Fatal(code, f)
	}
}

func TestUnknownDepotIsRefused(t *testing.T) {
	if code := post(&fake{}, `{"parcel":"NL-1","depot":"???"}`); code != 400 {
		t.Fatal(code)
	}
}
