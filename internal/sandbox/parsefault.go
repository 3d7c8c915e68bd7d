package sandbox

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ParseFault reads a fault as it is typed: service, colon, kind, a rate from 0
// to 1 after another colon if only that share of the requests is to meet it,
// and settings after commas, in any order.
//
//	openalex:throttle,times=3,retry-after=30s
//	pubmed:body-error:0.2
//	semanticscholar:rename-field,field=title,times=always
//	crossref:server-error,status=502,path=/works/
//	arxiv:empty-page
//
// times=always is for ever.
func ParseFault(spec string) (source string, f Fault, err error) {
	source, rest, ok := strings.Cut(strings.TrimSpace(spec), ":")
	if !ok || !known(source) {
		return "", Fault{}, fmt.Errorf("sandbox: the fault %q does not begin with a service and a colon; the services are %s", spec, strings.Join(Sources(), ", "))
	}
	parts := strings.Split(rest, ",")
	kind, rate, rated := strings.Cut(parts[0], ":")
	f.Kind = Kind(strings.TrimSpace(kind))
	if rated {
		if f.Rate, err = strconv.ParseFloat(strings.TrimSpace(rate), 64); err != nil || !(f.Rate > 0 && f.Rate <= 1) {
			return "", Fault{}, fmt.Errorf("sandbox: the fault %q has the rate %q; write a number above 0, up to 1, such as 0.2", spec, rate)
		}
	}
	for _, p := range parts[1:] {
		name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
		var bad error
		switch name {
		case "times":
			if f.Times = -1; value != "always" {
				f.Times, bad = strconv.Atoi(value)
			}
		case "status":
			f.Status, bad = strconv.Atoi(value)
		case "drop":
			f.Drop, bad = strconv.Atoi(value)
		case "retry-after":
			f.RetryAfter, bad = time.ParseDuration(value)
		case "wait":
			f.Wait, bad = time.ParseDuration(value)
		case "path":
			f.Path = value
		case "field":
			f.Field = value
		default:
			return "", Fault{}, fmt.Errorf("sandbox: the fault %q has the setting %q; the settings are times, status, retry-after, wait, drop, path, field", spec, name)
		}
		if bad != nil {
			return "", Fault{}, fmt.Errorf("sandbox: the fault %q has the value %q for %s; write a number, or a time such as 30s", spec, value, name)
		}
	}
	return source, f, checkFaults(Faults{source: {f}})
}
