package main

import (
	"os"
	"strings"
)

// readPlan reads the blocks of a plan, one per line; # starts a comment.
func readPlan(path string) ([]string, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	return parsePlan(string(data)), nil
}

func parsePlan(text string) []string {
	var blocks []string
	for _, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if f := strings.Fields(line); len(f) > 0 {
			blocks = append(blocks, f[0])
		}
	}
	return blocks
}
