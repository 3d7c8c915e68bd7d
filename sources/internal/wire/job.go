package wire

import (
	"fmt"
	"strings"

	"optimistresearch/internal/fetch"
	"optimistresearch/sources"
	"optimistresearch/state"
)

// Job gathers what the requests of one operation give. An adapter embeds it.
type Job struct {
	Result sources.Result
	keys   map[string]bool // of the records so far
}

// NewJob returns a Job whose result reports neither hits nor credit.
func NewJob() Job {
	return Job{Result: sources.Result{Total: -1, CreditsLeft: -1}, keys: map[string]bool{}}
}

// Answered notes the hashes of an answer.
func (j *Job) Answered(resp *fetch.Response) {
	j.Result.Raw = resp.Raw
	j.Result.Requests = append(j.Result.Requests, resp.Request)
}

// Note adds a note to the result.
func (j *Job) Note(format string, args ...any) {
	j.Result.Notes = append(j.Result.Notes, fmt.Sprintf(format, args...))
}

// Keep appends a record, or counts why it is none: for a reason of the
// adapter's, or because it came before. name is a sample of what is skipped.
// Records beyond limit are left out without a word, since nobody wants them;
// a limit below zero is none. It reports whether the record is a new one.
func (j *Job) Keep(r state.Record, why, name string, limit int) bool {
	switch {
	case why != "":
		j.Result.AddSkip(why, name)
	case j.keys[r.Key]:
		j.Result.AddSkip("sent twice", r.Key)
	default:
		if limit < 0 || len(j.Result.Records) < limit {
			j.keys[r.Key] = true
			j.Result.Records = append(j.Result.Records, r)
		}
		return true
	}
	return false
}

// absentInNote is the number of identifiers that one note names.
const absentInNote = 50

// Absent notes the identifiers of works that were asked for and did not come
// back, all of them: a caller must be able to tell what a service left out.
func (j *Job) Absent(service string, ids []string) {
	for len(ids) > 0 {
		some := ids[:min(absentInNote, len(ids))]
		ids = ids[len(some):]
		j.Note("%s has no record for %s", service, strings.Join(some, ", "))
	}
}
