// Package sandbox plays six literature services on the loopback address over
// a library of works: arXiv, OpenAlex, Crossref, PubMed, Semantic Scholar and
// Europe PMC.
// It is for runs without a network, for tests, and for trying and teaching.
//
// Each service answers in its own wire format and query dialect, with its own
// paging, errors, refusals and gaps. Services differ in what they hold, as they
// do in life: a preprint here and its venue version there, abstracts and
// reference lists missing in some, names and titles written in several ways.
// What a service answers depends on the library and the request alone, so a
// run over the sandbox can be repeated byte for byte; only the rate-limit
// headers depend on the clock.
//
// The package must never open a connection of its own, never listen on
// anything but loopback, and never present a made identifier or a synopsis as
// the real thing: see [Made] and state.SynopsisMark.
//
// Start with Start:
//
//	server, err := sandbox.Start(sandbox.Options{})
//	if err != nil { … }
//	defer server.Close()
//	base := server.URL(sandbox.OpenAlex) // http://127.0.0.1:43210/openalex, in place of https://api.openalex.org
package sandbox
