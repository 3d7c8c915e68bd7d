package sandbox

import (
	"slices"
	"strconv"
	"strings"
)

// s2Filters is the test that the filter parameters make.
func (f finder) s2Filters(c *call) (func(int32) bool, *reply) {
	var tests []func(r int32) bool
	add := func(test func(r int32) bool) { tests = append(tests, test) }
	for _, name := range []string{"year", "publicationDateOrYear"} {
		v := c.query.Get(name)
		if v == "" {
			continue
		}
		low, high, ok := s2Years(v, name)
		if !ok {
			out := s2Error(400, name+" is not a valid range: "+v)
			return nil, &out
		}
		add(func(r int32) bool { y := f.records[r].year; return y != 0 && low <= y && y <= high })
	}
	if v := c.query.Get("venue"); v != "" {
		wanted := strings.Split(v, ",")
		add(func(r int32) bool {
			return slices.ContainsFunc(wanted, func(want string) bool { return strings.EqualFold(strings.TrimSpace(want), s2Venue(f.of(r))) })
		})
	}
	if v := c.query.Get("fieldsOfStudy"); v != "" {
		wanted := strings.Split(v, ",")
		add(func(r int32) bool {
			return slices.ContainsFunc(wanted, func(want string) bool { return slices.Contains(f.of(r).Fields, strings.TrimSpace(want)) })
		})
	}
	if v := c.query.Get("publicationTypes"); v != "" {
		wanted := strings.Split(v, ",")
		add(func(r int32) bool {
			return slices.ContainsFunc(wanted, func(want string) bool { return slices.Contains(s2Types(f.of(r)), strings.TrimSpace(want)) })
		})
	}
	if c.query.Has("openAccessPdf") {
		add(func(r int32) bool { return s2Open(f.of(r)) })
	}
	if v := c.query.Get("minCitationCount"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil {
			out := s2Error(400, "minCitationCount must be an integer")
			return nil, &out
		}
		add(func(r int32) bool { return f.s2Count(r) >= n })
	}
	return func(r int32) bool {
		for _, test := range tests {
			if !test(r) {
				return false
			}
		}
		return true
	}, nil
}

// s2Years reads "2016", "2016-2020", "2010-", "-2015", and with colons
// "2016-03-05:2020-06", "2020-06:".
func s2Years(v, name string) (low, high int, ok bool) {
	separator := "-"
	if name != "year" {
		separator = ":"
	}
	from, to, between := strings.Cut(v, separator)
	if !between {
		to = from
	}
	year := func(s string, otherwise int) int {
		if s == "" {
			return otherwise
		}
		n, err := strconv.Atoi(s[:min(4, len(s))])
		if err != nil {
			ok = false
		}
		return n
	}
	ok = from != "" || to != ""
	low, high = year(from, 0), year(to, 9999)
	return low, high, ok
}
