// Package biblio reads and writes the files of reference managers and
// databases: RIS, NBIB, Web of Science and Ovid tagged files, BibTeX, CSL-JSON,
// EndNote XML, CSV of Scopus, Web of Science, Embase and PubMed, and JSON lines.
//
// Every record of a file is kept, or counted as skipped with its line, the
// reason and a sample. What a format can hold survives writing and reading;
// what it has and we do not map stays in [Entry.Extra] and is written back in
// the same format. Memory is bounded by the largest record, not by the file.
//
// The package must never drop a record in silence, give up on a file because of
// one record, believe a file (sizes, nesting and entities are capped, nothing
// external is fetched) or touch the disk.
//
// The JSON form of an entry, in JSON lines and wherever an Entry is marshalled,
// has these members, the empty ones left out: id, type, publication_types,
// title, short_title, original_title, translated_title, authors and editors
// (lists of {family, given, suffix} or {literal}), year (a number), date (only
// where it says more), venue, venue_abbrev, series, edition, volume, issue,
// pages, article_number, publisher, place, language, abstract, doi, pmid, pmcid,
// arxiv, isbn, issn, urls, keywords, mesh, accession, database, notes, format,
// raw_type, extra (a list of {name, value}).
//
// Each format is one table of its fields, used for reading and for writing.
// Start with [Read] and [Write].
package biblio
