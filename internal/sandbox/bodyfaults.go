package sandbox

import (
	"bytes"
	"encoding/json"
	"regexp"
	"strings"
	"unicode"
)

// bodyError is an error inside an answer with status 200, in the words that
// each service has for its errors.
func bodyError(c *call) reply {
	out := reply{status: 200, kind: jsonType}
	switch c.source {
	case ArXiv:
		// The old service sent the feed of its errors with 200.
		out = feedError("internal error, please try again")
		out.status = 200
	case OpenAlex:
		out.body = append(style{}.encode(object{{"error", "Query timeout"}, {"message", "The query took too long. Please try again later."}}), '\n')
	case Crossref:
		out.body = crossrefJSON.encode(object{{"status", "error"}, {"message-type", "exception"}, {"message-version", "1.0.0"},
			{"message", object{{"name", "class java.lang.NullPointerException"}, {"description", ""}}}})
	case PubMed:
		out.kind = ncbiJSON
		switch c.path {
		case "/elink.fcgi":
			// The line break in the message is not escaped.
			out.body = []byte(`{"header":{"type":"elink","version":"0.3"},"linksets":[],"ERROR":"NCBI C++ Exception:` + "\n" +
				`    Error: TXCLIENT(CException::eUnknown)"}` + "\n")
		case "/efetch.fcgi":
			out.kind, out.body = xmlType, []byte(xmlHead+"<eFetchResult>\n\t<ERROR>Unable to obtain query #1</ERROR>\n</eFetchResult>\n")
		default:
			out.body = []byte(`{"header":{"type":"esearch","version":"0.3"},"esearchresult":{"ERROR":"Search Backend failed: Exception:` + "\n" + `the backend is not available"}}` + "\n")
		}
	case SemanticScholar:
		out.body = append(style{}.encode(object{{"message", "Internal Server Error"}}), '\n')
	case EuropePMC:
		out.body = []byte(`{"version":"` + epmcVersion + `"}`)
	}
	return out
}

// damaged is a body as a fault leaves it.
func damaged(f Fault, body []byte) []byte {
	switch {
	case f.Kind == ControlChars:
		return withControls(body)
	case ofField(f.Kind) && bytes.HasPrefix(bytes.TrimSpace(body), []byte("<")):
		return changedElements(f, body)
	case ofField(f.Kind):
		return changedMembers(f, body)
	}
	return body
}

// withControls puts raw control characters in the place of three spaces
// between letters, which stand in text only.
func withControls(body []byte) []byte {
	out := bytes.Clone(body)
	xml := bytes.HasPrefix(bytes.TrimSpace(body), []byte("<"))
	inTag, done := false, 0
	for i := 1; i+1 < len(out) && done < 3; i++ {
		switch {
		case xml && out[i] == '<':
			inTag = true
		case xml && out[i] == '>':
			inTag = false
		case out[i] == ' ' && !inTag && unicode.IsLetter(rune(out[i-1])) && unicode.IsLetter(rune(out[i+1])):
			out[i] = "\x01\x0b\n"[done]
			done++
		}
	}
	return out
}

// changedElements renames, wraps or removes the elements of a name.
func changedElements(f Fault, body []byte) []byte {
	name := regexp.QuoteMeta(f.Field)
	tag := regexp.MustCompile(`<(/?)` + name + `([\s/>])`)
	switch f.Kind {
	case RenameField:
		return tag.ReplaceAll(body, []byte("<${1}"+f.Field+"_v2${2}"))
	case RetypeField:
		opened := regexp.MustCompile(`<` + name + `(\s[^>]*[^>/])?>`)
		closed := regexp.MustCompile(`</` + name + `>`)
		return closed.ReplaceAll(opened.ReplaceAll(body, []byte("${0}<value>")), []byte("</value>${0}"))
	}
	return regexp.MustCompile(`(?s)<`+name+`(\s[^>]*)?/>|<`+name+`(\s[^>]*)?>.*?</`+name+`>`).ReplaceAll(body, nil)
}

// changedMembers renames, retypes or removes the members of a name. A body
// that is no JSON stays as it is.
func changedMembers(f Fault, body []byte) []byte {
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	v, err := changedValue(f, dec)
	if err != nil {
		return body
	}
	var out bytes.Buffer
	writeValue(&out, v)
	return out.Bytes()
}

// changedValue reads the next value of a decoder, with its members in order.
func changedValue(f Fault, dec *json.Decoder) (any, error) {
	tok, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch tok {
	case json.Delim('{'):
		o := object{}
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				return nil, err
			}
			name, _ := key.(string)
			value, err := changedValue(f, dec)
			if err != nil {
				return nil, err
			}
			switch {
			case name != f.Field:
			case f.Kind == DropField:
				continue
			case f.Kind == RenameField:
				name += "_v2"
			default:
				value = retyped(value)
			}
			o = append(o, member{name, value})
		}
		_, err = dec.Token()
		return o, err
	case json.Delim('['):
		l := list{}
		for dec.More() {
			value, err := changedValue(f, dec)
			if err != nil {
				return nil, err
			}
			l = append(l, value)
		}
		_, err = dec.Token()
		return l, err
	}
	return tok, nil
}

// retyped is a value of another type: a number as text, a list or an object as
// its text, anything else in an object.
func retyped(v any) any {
	switch v := v.(type) {
	case json.Number:
		return v.String() + " items"
	case list, object:
		return "see the new interface"
	}
	return object{{"value", v}}
}

// writeValue writes what changedValue read.
func writeValue(b *bytes.Buffer, v any) {
	switch v := v.(type) {
	case object:
		b.WriteByte('{')
		for i, m := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(style{}.encode(m.name))
			b.WriteByte(':')
			writeValue(b, m.value)
		}
		b.WriteByte('}')
	case list:
		b.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			writeValue(b, item)
		}
		b.WriteByte(']')
	case json.Number:
		b.WriteString(strings.TrimSpace(v.String()))
	default:
		b.Write(style{}.encode(v))
	}
}
