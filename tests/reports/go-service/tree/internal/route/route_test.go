package route

import "testing"

func TestNext(t *testing.T) {
	if Next("UTR") != "AMS" {
		t.Fatal(Next("UTR"))
	}
}

func TestLastDepot(t *testing.T) {
	if Next("HLM") != "" {
		t.Fatal(Next("HLM"))
	}
}

func TestHops(t *testing.T) {
	if n := Hops("EIN"); n != 3 {
		t.Fatal(n)
	}
}

func TestUnknown(t *testing.T) {
	if Known("XXX") {
		t.Fatal("XXX is no depot")
	}
}

func BenchmarkHops(b *testing.B) {
	for i := 0; i < b.N; i++ {
		Hops("EIN")
	}
}
