package canon

import (
	"regexp"
	"strings"

	"optimistresearch/internal/text"
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

// noticeOf classifies a title by its wording.
func noticeOf(title string) notice {
	s := text.Fold(title)
	for _, n := range noticeStarts {
		if n.re.MatchString(s) {
			return n.kind
		}
	}
	switch {
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
	for _, w := range strings.Fields(s) {
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
	typ = strings.ToLower(typ)
	switch {
	case strings.Contains(typ, "retraction of publication"), strings.Contains(typ, "retraction notice"), typ == "retraction":
		return retracted
	case strings.Contains(typ, "erratum"), strings.Contains(typ, "corrigendum"), typ == "correction":
		return erratum
	}
	return ""
}
