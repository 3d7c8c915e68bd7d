package wire

import (
	"context"
	"fmt"
	"net/url"
	"regexp"
	"strings"
	"time"

	"optimistresearch/internal/fetch"
)

// Doer sends a request: *fetch.Client, or a fake.
type Doer interface {
	Do(ctx context.Context, r fetch.Request) (*fetch.Response, error)
}

// DefaultTimeout is the time for one attempt. A local server may have to load
// the model first, a reasoning model may think for minutes.
const DefaultTimeout = 10 * time.Minute

// DefaultParallel is how many calls to one provider run at once until it asks
// to be slower.
const DefaultParallel = 8

// Options of a provider.
type Options struct {
	Name       string        // names the provider in specs, recordings and errors, "" = the dialect's name
	Base       string        // base URL, "" = the dialect's own
	Key        string        // "" = none is sent
	KeySetting string        // name of the setting that holds the key, for messages
	NeedKey    bool          // without a key every call is MissingKey
	Timeout    time.Duration // one attempt, 0 = DefaultTimeout
	Parallel   int           // the most calls at once, 0 = DefaultParallel; fewer while the server asks to be slower
	Stream     bool          // ask for the answer piece by piece, for gateways that close silent connections
	Doer       Doer
}

var versionPath = regexp.MustCompile(`/(v\d+[a-z0-9]*|api)$`)

// complete fills in defaults and refuses what cannot work.
func (o Options) complete(d Dialect) (Options, error) {
	if o.Name == "" {
		o.Name = d.Name
	}
	o.Key = strings.TrimSpace(o.Key)
	o.Base = strings.TrimRight(strings.TrimSpace(o.Base), "/")
	if o.Base == "" {
		o.Base = d.Base
	}
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Parallel == 0 {
		o.Parallel = DefaultParallel
	}
	example := d.Base
	if example == "" {
		example = "https://host/v1"
	}
	u, err := url.Parse(o.Base)
	switch {
	case err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return o, fmt.Errorf("%s: the base URL must look like %s", o.Name, example)
	case u.RawQuery != "" || u.Fragment != "":
		return o, fmt.Errorf("%s: the base URL must end with the path, without ? or #", o.Name)
	case o.Timeout < 0:
		return o, fmt.Errorf("%s: the time-out is negative; set it to 0 for the default of %s", o.Name, DefaultTimeout)
	case o.Parallel < 0:
		return o, fmt.Errorf("%s: the number of parallel calls is negative; set it to 0 for the default of %d", o.Name, DefaultParallel)
	case o.Doer == nil:
		return o, fmt.Errorf("%s: no client to send with", o.Name)
	}
	if d.Version != nil {
		// People write a base with and without the version: both mean the same
		// server, and the path of a recording must not depend on it.
		o.Base = versionPath.ReplaceAllString(o.Base, "") + *d.Version
	}
	return o, nil
}
