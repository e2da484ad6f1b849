package keypath

import (
	"strings"
	"unicode/utf8"
)

// nearMax is the longest name that is compared, in code points. The time that a
// comparison takes grows with the product of both lengths, and no key that CRI-O
// knows comes near this one.
const nearMax = 128

// Near returns the candidate that name is most likely a misspelling of, and
// whether there is one. Letter case and the difference between - and _ cost
// nothing, as flags are written with the one and keys with the other; every
// letter that is wrong, missing, too many or swapped with its neighbour costs
// one, and a third of the name's letters may be wrong. Of candidates equally
// near the bytewise first wins. A candidate that is name itself is no
// suggestion.
func Near(name string, candidates []string) (string, bool) {
	if utf8.RuneCountInString(name) > nearMax {
		return "", false
	}
	from := nearForm(name)
	limit := len(from) / 3
	best, bestCost := "", limit+1
	for _, c := range candidates {
		if c == name || c == "" || utf8.RuneCountInString(c) > nearMax {
			continue
		}
		cost := editDistance(from, nearForm(c))
		if cost < bestCost || cost == bestCost && bestCost <= limit && c < best {
			best, bestCost = c, cost
		}
	}
	return best, bestCost <= limit
}

func nearForm(s string) []rune {
	return []rune(strings.ReplaceAll(strings.ToLower(s), "-", "_"))
}

// editDistance counts the insertions, deletions, substitutions and swaps of
// neighbours that turn a into b, where no letter is touched twice.
func editDistance(a, b []rune) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row = last, row, before
		row[0] = i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
	}
	return row[len(b)]
}
