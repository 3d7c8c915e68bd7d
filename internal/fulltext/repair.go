package fulltext

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
)

var (
	objectStart = regexp.MustCompile(`(?:^|[\s>])(\d{1,7})[ \t\r\n]+(\d{1,5})[ \t\r\n]+obj\b`)
	pageType    = regexp.MustCompile(`/Type\s*/Page\b[^s]`)
)

// repaired writes a new cross-reference table for a file whose own is missing or
// wrong, with a new list of the pages that are there in the order in which they
// stand. It is for a download that was cut off: what came is read. It gives nil
// when no page can be found in the open (newer files keep them compressed).
func repaired(b []byte) []byte {
	type object struct{ number, generation, at int }
	var objects []object
	at := map[int]int{}
	for _, m := range objectStart.FindAllSubmatchIndex(b, 200_000) {
		n, err1 := strconv.Atoi(string(b[m[2]:m[3]]))
		g, err2 := strconv.Atoi(string(b[m[4]:m[5]]))
		if err1 != nil || err2 != nil || n == 0 || n > 1<<20 || g > 65535 {
			continue
		}
		o := object{n, g, m[2]}
		if i, ok := at[n]; ok {
			objects[i] = o // the later one counts
			continue
		}
		at[n] = len(objects)
		objects = append(objects, o)
	}
	if len(objects) == 0 {
		return nil
	}
	var kids bytes.Buffer
	pages, largest := 0, 0
	for i, o := range objects {
		largest = max(largest, o.number)
		end := len(b)
		if i+1 < len(objects) && objects[i+1].at > o.at {
			end = objects[i+1].at
		}
		body := b[o.at:min(end, o.at+8192)]
		if j := bytes.Index(body, []byte("stream")); j >= 0 {
			body = body[:j]
		}
		if pageType.Match(body) && bytes.Contains(body, []byte("endobj")) && pages < 20_000 {
			fmt.Fprintf(&kids, "%d %d R ", o.number, o.generation)
			pages++
		}
	}
	if pages == 0 {
		return nil
	}
	out := bytes.NewBuffer(bytes.Clone(b))
	out.WriteString("\nendstream\nendobj\n")
	tree, root := largest+1, largest+2
	treeAt := out.Len()
	fmt.Fprintf(out, "%d 0 obj\n<</Type/Pages/Count %d/Kids[%s]>>\nendobj\n", tree, pages, kids.Bytes())
	rootAt := out.Len()
	fmt.Fprintf(out, "%d 0 obj\n<</Type/Catalog/Pages %d 0 R>>\nendobj\n", root, tree)
	xref := out.Len()
	out.WriteString("xref\n")
	for _, o := range objects {
		fmt.Fprintf(out, "%d 1\n%010d %05d n \n", o.number, o.at, o.generation)
	}
	fmt.Fprintf(out, "%d 2\n%010d 00000 n \n%010d 00000 n \n", tree, treeAt, rootAt)
	fmt.Fprintf(out, "trailer\n<</Size %d/Root %d 0 R>>\nstartxref\n%d\n%%%%EOF\n", root+1, root, xref)
	return out.Bytes()
}
