package screening

import (
	"fmt"
	"strings"
)

// UniqueIDs gives every record an ID of its own: a missing one is made of prefix
// and the place in the list, one that came before gets a number. It changes
// the records and tells how many it had to name anew.
func UniqueIDs(records []Record, prefix string) (missing, repeated int) {
	taken := make(map[string]bool, len(records))
	for i := range records {
		id := strings.TrimSpace(records[i].ID)
		if id == "" {
			id = fmt.Sprintf("%s%d", prefix, i+1)
			missing++
		}
		if taken[id] {
			repeated++
			for n := 2; ; n++ {
				if next := fmt.Sprintf("%s#%d", id, n); !taken[next] {
					id = next
					break
				}
			}
		}
		taken[id] = true
		records[i].ID = id
	}
	return missing, repeated
}
