// Package desk is the screen at which a person screens: one record at a time,
// one key a decision.
//
// It is a pure function of keys and times: [Model.Key] changes the model and
// says what is to be kept, [Model.View] draws it as lines. The package must
// never read a terminal, the clock or a file, never lose a decision that it
// showed as taken, and never print a control character of a record.
//
// Start with [New].
package desk
