// Command conformance compares the library with recorded answers of CRI-O's
// loaders and prints the agreements per group and release, and each
// disagreement. It exits with 1 when there is one.
//
//	go run ./test/conformance [FILE.jsonl ...]
//
// Without arguments it reads the recorded files of the project.
package main

import (
	"fmt"
	"os"

	"github.com/crioctl/crioctl-net/test/oracle"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "conformance:", err)
		os.Exit(1)
	}
}

func run(files []string) error {
	cases, err := read(files)
	if err != nil {
		return err
	}
	report, err := oracle.Run(cases)
	if err != nil {
		return err
	}
	if err := report.Print(os.Stdout); err != nil {
		return err
	}
	if n := len(report.Disagreements); n > 0 {
		return fmt.Errorf("%d disagreements", n)
	}
	return nil
}

func read(files []string) ([]oracle.Case, error) {
	from, names := oracle.ReadFile, files
	if len(files) == 0 {
		from, names = oracle.ReadRecorded, oracle.Recorded()
	}
	var all []oracle.Case
	for _, name := range names {
		cases, err := from(name)
		if err != nil {
			return nil, err
		}
		all = append(all, cases...)
	}
	return all, nil
}
