package steps

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"optimistresearch/internal/text"
	"optimistresearch/state"
)

// firstPerson finds sentences in which the authors speak of themselves.
var firstPerson = regexp.MustCompile(`(?i)\b(we|our|ours|us|i|my)\b`)

// selfReference finds sentences that point at their own document.
var selfReference = regexp.MustCompile(`(?i)\b(this|the present|the current) (paper|study|work|article|survey|review|thesis|report|chapter)\b|\bhere,? `)

// foreignID finds what would be taken for a citation or a claim's id of ours.
var foreignID = regexp.MustCompile(`(?i)\b(?:doc[ _-]?[0-9]{1,9}|ev_[0-9a-z]+)\b`)

// Sentence renders one claim as a sentence of prose with its citation. A claim
// that speaks for its authors is quoted and attributed, since nobody else
// could say it.
func Sentence(s *state.State, e state.Evidence) string {
	// A source must not cite for us: an id in its words would read as ours.
	claim := strings.TrimRight(foreignID.ReplaceAllString(text.OneLine(e.Claim), "…"), ". ")
	cite := " [" + e.Document + "]."
	if firstPerson.MatchString(claim) || selfReference.MatchString(claim) {
		return fmt.Sprintf("%s write: “%s”%s", Authors(s.Documents[e.Document]), claim, cite)
	}
	return claim + cite
}

// Authors names the authors of a document in running text: "Packer et al.
// (2023)".
func Authors(d state.Document) string {
	var who string
	name := func(a state.Author) string {
		if a.Family != "" {
			return a.Family
		}
		if a.Collective {
			return a.Name
		}
		if f := strings.Fields(a.Name); len(f) > 0 {
			return f[len(f)-1]
		}
		return a.Name
	}
	var names []string
	for _, a := range d.Authors {
		if n := name(a); n != "" {
			names = append(names, n)
		}
	}
	switch len(names) {
	case 0:
		who = "The authors"
	case 1:
		who = names[0]
	case 2:
		who = names[0] + " and " + names[1]
	default:
		who = names[0] + " et al."
	}
	if y := d.Year(); y != 0 {
		return fmt.Sprintf("%s (%d)", who, y)
	}
	return who
}

var small = []string{"No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Eleven", "Twelve"}

// Count writes a number at the start of a sentence.
func Count(n int) string {
	if n >= 0 && n < len(small) {
		return small[n]
	}
	return strconv.Itoa(n)
}
