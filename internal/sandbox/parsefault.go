package sandbox

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// ParseFault reads a fault as it is typed: service, colon, kind, and settings
// after commas, in any order.
//
//	openalex:throttle,times=3,retry-after=30s
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
	f.Kind = Kind(strings.TrimSpace(parts[0]))
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
		default:
			return "", Fault{}, fmt.Errorf("sandbox: the fault %q has the setting %q; the settings are times, status, retry-after, wait, drop, path", spec, name)
		}
		if bad != nil {
			return "", Fault{}, fmt.Errorf("sandbox: the fault %q has the value %q for %s; write a number, or a time such as 30s", spec, value, name)
		}
	}
	return source, f, checkFaults(Faults{source: {f}})
}
