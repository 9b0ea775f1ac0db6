// Package spelling finds the name that a misspelt one was meant to be.
package spelling

// Nearest returns the known name that is closest to name, or "" when none is
// close: at most a third of its letters wrong, left out, added or swapped.
func Nearest(name string, known []string) string {
	best, least := "", len(name)/3+1
	for _, k := range known {
		if d := distance(name, k); d > 0 && d <= min(least, max(len(name), len(k))-1) && (best == "" || d < least) {
			best, least = k, d
		}
	}
	return best
}

// distance is the least number of letters to change, leave out, add or swap
// with their neighbour (Damerau and Levenshtein's, each place once).
func distance(a, b string) int {
	x, y := []rune(a), []rune(b)
	rows := make([][]int, len(x)+1)
	for i := range rows {
		rows[i] = make([]int, len(y)+1)
		rows[i][0] = i
	}
	for j := range y {
		rows[0][j+1] = j + 1
	}
	for i := 1; i <= len(x); i++ {
		for j := 1; j <= len(y); j++ {
			change := 1
			if x[i-1] == y[j-1] {
				change = 0
			}
			d := min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d = min(d, rows[i-2][j-2]+1)
			}
			rows[i][j] = d
		}
	}
	return rows[len(x)][len(y)]
}
