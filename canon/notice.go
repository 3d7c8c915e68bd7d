package canon

import (
	"regexp"
	"strings"
)

// notice says what a record is in relation to another work; "" is the work
// itself. Records of different notice are different works.
type notice string

const (
	erratum   notice = "erratum"
	retracted notice = "retraction_notice"
	comment   notice = "comment"
	reply     notice = "reply"
	editorial notice = "editorial"
	component notice = "component" // supplementary file, data set of an article
	review    notice = "review_of" // book review, post-publication review, decision letter
	protocol  notice = "protocol"
)

// noticeStarts are matched against the folded title in this order.
var noticeStarts = []struct {
	kind notice
	re   *regexp.Regexp
}{
	{retracted, regexp.MustCompile(`^(retraction\b( notice| note)?( to|:|,|-|\.|$| of ?["':])|(notice|statement) of (retraction|concern)|(editorial )?expression of concern|withdrawal( notice)?( to| of|:|\.|$)|removal notice|notice of removal)`)},
	{erratum, regexp.MustCompile(`^\W*(errat(um|a)\b|corrigend(um|a)\b|addend(um|a)\b|(author|publisher|editorial) correction|corrections?(:| to\b|\.|$| -)|publisher'?s'? (note|erratum)|correction of [a-z' ]*(article|paper|error))`)},
	{reply, regexp.MustCompile(`^\W*((the )?authors?'?s?'? (repl(y|ies)|responses?)\b|repl(y|ies)( to|:|\.|$)|response to (the )?(comments?|letters?|commentar(y|ies)|reviewers?|critique)|(a )?rejoinder|in reply\b|response by)`)},
	{comment, regexp.MustCompile(`^\W*((a |invited |editorial )?comment(s|ary)?( on|:| to\b|\.|$)|letter to the editors?|letters?:|re: |re\. |discussion of|discussion:)`)},
	{review, regexp.MustCompile(`^\W*((book )?review of|review:|faculty of 1000 evaluation|faculty opinions recommendation|decision letter for|peer review #?[0-9]* ?(of|:)|review for|book review)`)},
	{component, regexp.MustCompile(`^\W*(additional file [0-9]+|supplement(ary|al) (material|information|file|data|table|figure)|moesm[0-9]+|data from:|dataset (for|of|from)|(table|figure|image|video|presentation|datasheet|data_sheet|data sheet)_?[ ]?[0-9s]+_)`)},
	{editorial, regexp.MustCompile(`^\W*((guest |invited )?editorial(:| -| to\b| on\b|\.|$)|editor'?s'? (note|introduction|letter|choice|comment)|preface|foreword)`)},
}

var replySuffix = regexp.MustCompile(`[:.\-] ?(a |an |the )?(authors'? |author's )?(reply|rejoinder|response)( to [a-z. ]+)?\W*$`)
var correctionSuffix = regexp.MustCompile(`[:.(\[\-] ?(a |an |author |publisher )?(erratum|corrigendum|correction|retraction)\W*$`)
var editorialSuffix = regexp.MustCompile(`[:.,\-] ?(a |an |the )?((guest |invited )?editors?'?s?'? (introduction|foreword|note|preface|comments?)|(guest |invited )?editorial)\W*$`)
var commentSuffix = regexp.MustCompile(`[:.(\[\-] ?(a |an |invited )?(comment|commentary)( on [a-z. ]+)?\W*$`)

// noticeHints are beginnings of words, by first letter; one of them stands in
// every title of a notice.
var noticeHints = [26][]string{
	0:         {"addend"},
	'c' - 'a': {"concern", "corrig", "correction", "comment"},
	'd' - 'a': {"discussion", "decision", "data"},
	'e' - 'a': {"errat", "editor"},
	'f' - 'a': {"faculty", "file", "figure", "foreword"},
	'i' - 'a': {"image"},
	'l' - 'a': {"letter"},
	'm' - 'a': {"moesm"},
	'p' - 'a': {"publisher", "presentation", "preface", "protocol", "peer"},
	'r' - 'a': {"retract", "removal", "repl", "respon", "rejoinder", "review", "re:", "re."},
	's' - 'a': {"supplement"},
	't' - 'a': {"table"},
	'v' - 'a': {"video"},
	'w' - 'a': {"withdraw"},
}

// A notice says so at the beginning or at the end, within so many words.
const (
	hintsBefore = 6
	hintsBehind = 12
)

// hinted tells from single words where a folded title may say that it is a
// notice; most do not, and the patterns are slow.
func hinted(s string) (start, end, anywhere bool) {
	words, last := 0, -100
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c < 'a' || c > 'z' || i > 0 && s[i-1] >= 'a' && s[i-1] <= 'z' {
			continue
		}
		words++
		for _, h := range noticeHints[c-'a'] {
			if strings.HasPrefix(s[i:], h) {
				start, last = start || words <= hintsBefore, words
				anywhere = anywhere || h == "protocol" || h == "rejoinder"
			}
		}
	}
	return start, words-last <= hintsBehind, anywhere
}

// noticeWords are what an erratum or a retraction notice puts before the title
// of the article, and place what it puts behind: the parenthesis with the year.
var (
	noticeWords = regexp.MustCompile(`(?i)^\W*(erratum|errata|corrigend(um|a)|addend(um|a)|((author|publisher|editorial) )?corrections?|retraction( note| notice)?|retracted)\b( (to|for|of|in)\b)?\s*[:.,;–—-]*\s*`)
	noticePlace = regexp.MustCompile(`\s*\([^()]*\b(19|20)[0-9]{2}\b[^()]*\)\s*\.?$|\s*\([^()]{3,}\([^()]*(\)[^()]*(\([^()]*\)?)*\)?)?\s*\.?$`)
	noticeEnd   = regexp.MustCompile(`(?i)\s*[:.(\[–-]+\s*(an? |author |publisher )?(erratum|corrigendum|correction|retraction)\W*$`)
)

// noticed gives the title of the article that a notice is about.
func noticed(title string) string {
	s := noticeWords.ReplaceAllString(title, "")
	s = noticeEnd.ReplaceAllString(s, "")
	s = noticePlace.ReplaceAllString(s, "")
	if s = strings.Trim(s, " \"'“”‘’[]"); len(strings.Fields(s)) < 3 {
		return title
	}
	return s
}

// noticeOf classifies a title by its wording.
func noticeOf(title string) notice {
	s := fold(title)
	start, end, anywhere := hinted(s)
	if start {
		for _, n := range noticeStarts {
			if n.re.MatchString(s) {
				return n.kind
			}
		}
	}
	switch {
	case !end:
	case correctionSuffix.MatchString(s):
		if strings.Contains(s[strings.LastIndexAny(strings.TrimRight(s, ")] ."), ":.([-")+1:], "retraction") {
			return retracted
		}
		return erratum
	case editorialSuffix.MatchString(s):
		return editorial
	case replySuffix.MatchString(s):
		return reply
	case commentSuffix.MatchString(s):
		return comment
	}
	if !anywhere {
		return ""
	}
	for w := range strings.FieldsSeq(s) {
		switch strings.Trim(w, ".,:;()[]") {
		case "protocol":
			return protocol
		case "rejoinder":
			return reply
		}
	}
	return ""
}

// noticeOfType classifies by a source's publication type. Only corrections and
// retraction notices are told by type: the types of comments, letters and
// editorials differ too much between sources.
func noticeOfType(typ string) notice {
	if len(typ) < len("erratum") {
		return ""
	}
	typ = strings.ToLower(typ)
	switch {
	case strings.Contains(typ, "retraction of publication"), strings.Contains(typ, "retraction notice"), typ == "retraction":
		return retracted
	case strings.Contains(typ, "erratum"), strings.Contains(typ, "corrigendum"), typ == "correction":
		return erratum
	}
	return ""
}
