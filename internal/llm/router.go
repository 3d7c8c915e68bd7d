package llm

import "maps"

// Builtin is the spec of a role without a model.
const Builtin = "builtin"

// Route says which model does a role's work.
type Route struct {
	Spec     string   // "provider:model" or Builtin
	Setting  string   // name of the setting that chose it, for messages; "" = unknown
	Provider Provider // nil for Builtin
	Model    string   // the model's name as the provider knows it
	Context  int      // context window in tokens, 0 = unknown
	Mode     string   // one of Modes; "" = ModeSchema
	Price    *Price   // nil = unknown
}

// Router maps roles to routes. It never changes and is safe for concurrent use;
// a nil Router has no model for any role.
type Router struct {
	routes map[Role]Route
}

// NewRouter copies the map. A role that is missing from it is builtin.
func NewRouter(routes map[Role]Route) *Router {
	return &Router{routes: maps.Clone(routes)}
}

// Configured tells whether a model does the role's work.
func (r *Router) Configured(role Role) bool {
	_, ok := r.route(role)
	return ok
}

// Spec returns "provider:model", or Builtin.
func (r *Router) Spec(role Role) string {
	if route, ok := r.route(role); ok {
		return route.Spec
	}
	return Builtin
}

// route returns the role's route if it leads to a model.
func (r *Router) route(role Role) (Route, bool) {
	if r == nil {
		return Route{}, false
	}
	route, ok := r.routes[role]
	if !ok || route.Provider == nil || route.Spec == Builtin {
		return Route{}, false
	}
	if route.Spec == "" {
		route.Spec = route.Provider.Name() + ":" + route.Model
	}
	return route, true
}
