package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/joho/godotenv"
)

// loader collects values and mistakes.
type loader struct {
	opt      Options
	doc      document
	origins  map[string]string
	table    known
	profile  map[string]string
	errs     []error
	warnings []string
}

func (l *loader) fail(origin string, err error) {
	l.errs = append(l.errs, fmt.Errorf("%s: %w", origin, err))
}

func (l *loader) set(path []string, value any, origin string) {
	if err := l.assign(reflect.ValueOf(&l.doc).Elem(), path, nil, value); err != nil {
		l.fail(origin, err)
		return
	}
	l.origins[strings.Join(path, ".")] = origin
}

// file reads one settings file.
func (l *loader) file(name string) {
	b, err := os.ReadFile(name)
	if err != nil {
		l.fail(name, fmt.Errorf("reading the settings: %w", err))
		return
	}
	f, err := parser.ParseBytes(b, 0)
	if err != nil {
		l.fail(name, fmt.Errorf("this is not YAML:\n%s", yaml.FormatError(err, false, true)))
		return
	}
	for _, d := range f.Docs {
		if d.Body != nil {
			l.node(name, d.Body, nil)
		}
	}
}

// node walks the syntax tree, so that every value keeps its line.
func (l *loader) node(file string, n ast.Node, path []string) {
	switch n := n.(type) {
	case *ast.MappingNode:
		for _, v := range n.Values {
			l.node(file, v, path)
		}
	case *ast.MappingValueNode:
		l.node(file, n.Value, append(append([]string{}, path...), keyText(n.Key)))
	case *ast.SequenceNode:
		var list []string
		for _, v := range n.Values {
			s, ok := scalar(v)
			if !ok {
				l.fail(at(file, v), fmt.Errorf("%s must be a list of single values", strings.Join(path, ".")))
				return
			}
			list = append(list, s)
		}
		l.leaf(file, n, path, list)
	case *ast.NullNode, *ast.CommentGroupNode:
		// "key:" without a value leaves the layer below in force.
	default:
		s, ok := scalar(n)
		if !ok {
			l.fail(at(file, n), fmt.Errorf("%s must be a single value; anchors, aliases and tags are not read here", strings.Join(path, ".")))
			return
		}
		l.leaf(file, n, path, s)
	}
}

func (l *loader) leaf(file string, n ast.Node, path []string, value any) {
	if len(path) == 0 {
		l.fail(at(file, n), errors.New("the file must hold “key: value” lines"))
		return
	}
	origin := at(file, n)
	l.set(path, value, origin)
	if path[len(path)-1] == "key" && fmt.Sprint(value) != "" {
		l.warnings = append(l.warnings, fmt.Sprintf("%s: a key in a settings file is easily committed by mistake; put %s into .env instead", origin, envName(path)))
	}
}

func keyText(n ast.MapKeyNode) string {
	if s, ok := scalar(n); ok {
		return s
	}
	return n.String()
}

func scalar(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode:
		return n.Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	case ast.ScalarNode:
		return n.GetToken().Value, true
	}
	return "", false
}

func at(file string, n ast.Node) string {
	if t := n.GetToken(); t != nil && t.Position != nil {
		return fmt.Sprintf("%s:%d", file, t.Position.Line)
	}
	return file
}

// dotenv reads the nearest .env from dir upward.
func (l *loader) dotenv(dir string) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return
	}
	for {
		name := filepath.Join(abs, ".env")
		b, err := os.ReadFile(name)
		if err == nil {
			values, err := godotenv.UnmarshalBytes(b)
			if err != nil {
				l.fail(name, fmt.Errorf("reading the secrets: %w", brokenLine(b)))
				return
			}
			var env []string
			for k, v := range values {
				env = append(env, k+"="+v)
			}
			l.environment(env, name+" ")
			return
		}
		if !errors.Is(err, fs.ErrNotExist) {
			l.fail(name, fmt.Errorf("reading the secrets: %w", err))
			return
		}
		parent := filepath.Dir(abs)
		if parent == abs {
			return
		}
		abs = parent
	}
}

// brokenLine names the first line that is no assignment. What the line holds may
// be a secret, so neither it nor what the parser says of it is repeated.
func brokenLine(b []byte) error {
	for i, line := range strings.Split(string(b), "\n") {
		if _, err := godotenv.Unmarshal(line); err != nil {
			return fmt.Errorf("line %d is not NAME=value", i+1)
		}
	}
	return errors.New("a quoted value is not ended")
}

// wellKnown are variables of other tools that hold the same key.
var wellKnown = map[string][]string{
	"OPENAI_API_KEY":           {"provider", "openai", "key"},
	"ANTHROPIC_API_KEY":        {"provider", "anthropic", "key"},
	"GEMINI_API_KEY":           {"provider", "google", "key"},
	"GOOGLE_API_KEY":           {"provider", "google", "key"},
	"MISTRAL_API_KEY":          {"provider", "mistral", "key"},
	"GROQ_API_KEY":             {"provider", "groq", "key"},
	"DEEPSEEK_API_KEY":         {"provider", "deepseek", "key"},
	"OPENROUTER_API_KEY":       {"provider", "openrouter", "key"},
	"SEMANTIC_SCHOLAR_API_KEY": {"source", "semanticscholar", "key"},
	"S2_API_KEY":               {"source", "semanticscholar", "key"},
	"NCBI_API_KEY":             {"source", "pubmed", "key"},
	"OPENALEX_API_KEY":         {"source", "openalex", "key"},
}

// environment reads variables, well-known names of other tools first, so that
// the program's own names win.
func (l *loader) environment(env []string, layer string) {
	values := map[string]string{}
	for _, kv := range env {
		if k, v, ok := strings.Cut(kv, "="); ok {
			values[k] = v
		}
	}
	for _, name := range sortedKeys(wellKnown) {
		if v := values[name]; v != "" {
			l.set(wellKnown[name], v, layer+name)
		}
	}
	names := map[string][]string{}
	for _, key := range l.known() {
		path := strings.Split(key, ".")
		names[envName(path)] = path
	}
	for _, name := range sortedKeys(values) {
		if !strings.HasPrefix(name, EnvPrefix) || values[name] == "" {
			continue
		}
		path, ok := names[name]
		if !ok {
			path, ok = providerPath(name)
		}
		if !ok {
			guess := strings.ToLower(strings.ReplaceAll(strings.TrimPrefix(name, EnvPrefix), "_", "."))
			var unknown *unknownKey
			if errors.As(l.unknown(strings.Split(guess, ".")), &unknown) && unknown.nearest != "" {
				unknown.nearest = envName(strings.Split(unknown.nearest, "."))
				unknown.key = name
				l.fail(strings.TrimSpace(layer), unknown)
				continue
			}
			l.fail(strings.TrimSpace(layer), &unknownKey{key: name})
			continue
		}
		l.set(path, values[name], layer+name)
	}
}

// providerPath reads OPTIMISTRESEARCH_PROVIDER_NAME_KEY (or _BASE and the other
// settings of a provider) for a provider of any name.
func providerPath(name string) ([]string, bool) {
	rest, ok := strings.CutPrefix(name, EnvPrefix+"PROVIDER_")
	if !ok {
		return nil, false
	}
	for _, part := range []string{"KEY", "BASE", "MODE", "API", "PARALLEL", "STREAM"} {
		if who, ok := strings.CutSuffix(rest, "_"+part); ok && who != "" {
			return []string{"provider", strings.ToLower(who), strings.ToLower(part)}, true
		}
	}
	return nil, false
}

func envName(path []string) string {
	return EnvPrefix + strings.ToUpper(strings.ReplaceAll(strings.Join(path, "_"), "-", "_"))
}
