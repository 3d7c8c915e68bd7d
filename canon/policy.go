package canon

// Policy says which publications count as one work.
type Policy string

// The policies, from the one that joins least. They differ in four things:
//
//	                             strict   versions   works
//	preprint and publication     apart    one work   one work
//	conference and journal       apart    apart      one work
//	updates of a Cochrane review apart    apart      one work
//	article and its erratum      apart    apart      one work
//
// Copies of one publication are one work under every policy; comments, replies,
// editorials, retraction notices and supplements are works of their own under
// every policy. The zero value is Versions, which is what a review needs: what
// was read is one text, whoever printed it, and another text is another work.
const (
	Strict   Policy = "strict"
	Versions Policy = "versions"
	Works    Policy = "works"
)

// Policies lists the policies, the default first.
var Policies = [...]Policy{Versions, Works, Strict}

// ParsePolicy reads the name of a policy; "" is Versions.
func ParsePolicy(s string) (Policy, bool) {
	if s == "" {
		return Versions, true
	}
	for _, p := range Policies {
		if string(p) == s {
			return p, true
		}
	}
	return "", false
}

// policySet is a set of policies, as a bit each.
type policySet uint8

const (
	underStrict policySet = 1 << iota
	underVersions
	underWorks
	underAll = underStrict | underVersions | underWorks
)

func (p Policy) bit() policySet {
	switch p {
	case Strict:
		return underStrict
	case Works:
		return underWorks
	}
	return underVersions
}
