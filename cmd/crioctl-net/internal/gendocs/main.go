// Gendocs writes the man pages and the shell completions from the command tree.
// "make generate" runs it; a test fails when its output differs from what is
// committed.
package main

import (
	"flag"
	"fmt"
	"os"
)

func main() {
	man := flag.String("man", "docs/man", "write the man pages to this `directory`")
	completions := flag.String("completions", "completions", "write the completions to this `directory`")
	flag.Parse()
	if err := generate(*man, *completions); err != nil {
		fmt.Fprintln(os.Stderr, "gendocs:", err)
		os.Exit(1)
	}
}
