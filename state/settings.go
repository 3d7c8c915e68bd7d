package state

// Settings are the parameters of the method. They are frozen into the state
// when a run starts and printed in its report. DefaultSettings is the only
// home of a default. Keys, time-outs, paces and base URLs are runtime
// parameters and live in config, never here.
type Settings struct {
	Sources   []string          `json:"sources" yaml:"sources"`
	SinceYear int               `json:"since_year,omitempty" yaml:"since_year"`
	UntilYear int               `json:"until_year,omitempty" yaml:"until_year"`
	Languages []string          `json:"languages,omitempty" yaml:"languages"`
	Plan      PlanSettings      `json:"plan" yaml:"plan"`
	Search    SearchSettings    `json:"search" yaml:"search"`
	Screening ScreeningSettings `json:"screening" yaml:"screening"`
	Ranking   RankingSettings   `json:"ranking" yaml:"ranking"`
	Snowball  SnowballSettings  `json:"snowball" yaml:"snowball"`
	Reading   ReadingSettings   `json:"reading" yaml:"reading"`
	Budgets   Budgets           `json:"budgets" yaml:"budgets"`
	// Models maps each role to "provider:model" or "builtin".
	Models map[string]string `json:"models,omitempty" yaml:"models"`
}

// PlanSettings bound the five-level plan.
type PlanSettings struct {
	MaxSubquestions       int `json:"max_subquestions" yaml:"max_subquestions"`
	IntentsPerSubquestion int `json:"intents_per_subquestion" yaml:"intents_per_subquestion"`
	QueriesPerIntent      int `json:"queries_per_intent" yaml:"queries_per_intent"`
}

// SearchSettings bound one search operation.
type SearchSettings struct {
	HitsPerQuery int `json:"hits_per_query" yaml:"hits_per_query"`
	Rungs        int `json:"rungs" yaml:"rungs"` // of the relaxation ladder, 0 to 3
}

// ScreeningSettings hold the thresholds on relevance, all in [0,1].
type ScreeningSettings struct {
	Batch           int     `json:"batch" yaml:"batch"`
	Relevant        float64 `json:"relevant" yaml:"relevant"`
	ClearlyRelevant float64 `json:"clearly_relevant" yaml:"clearly_relevant"`
}

// RankingSettings are the weights of the rank score. They need not sum to 1:
// the score divides by their sum.
type RankingSettings struct {
	Relevance       float64 `json:"relevance" yaml:"relevance"`
	Impact          float64 `json:"impact" yaml:"impact"`
	Recency         float64 `json:"recency" yaml:"recency"`
	Corroboration   float64 `json:"corroboration" yaml:"corroboration"`
	RecencyHalfLife float64 `json:"recency_half_life" yaml:"recency_half_life"` // years
}

// SnowballSettings bound citation chasing.
type SnowballSettings struct {
	LowYieldShare   float64 `json:"low_yield_share" yaml:"low_yield_share"`         // of new candidates that are relevant
	LowYieldMinimum int     `json:"low_yield_minimum" yaml:"low_yield_minimum"`     // new relevant documents
	LowYieldRounds  int     `json:"low_yield_rounds" yaml:"low_yield_rounds"`       // in a row, then saturated
	SeedsPerRound   int     `json:"seeds_per_round" yaml:"seeds_per_round"`         // per subquestion
	CandidatesLimit int     `json:"candidates_per_seed" yaml:"candidates_per_seed"` // fetched from one list
}

// ReadingSettings govern reading and evidence.
type ReadingSettings struct {
	AbstractStrengthCap float64 `json:"abstract_strength_cap" yaml:"abstract_strength_cap"`
	IncludeRetracted    bool    `json:"include_retracted" yaml:"include_retracted"`
	ClaimsPerPair       int     `json:"claims_per_pair" yaml:"claims_per_pair"` // per document and subquestion
}

// Budgets cap cost. 0 means no cap, except for Iterations, Documents and
// Searches, which must be positive.
type Budgets struct {
	Iterations     int            `json:"iterations" yaml:"iterations"`
	Documents      int            `json:"documents" yaml:"documents"`             // read
	Searches       int            `json:"searches" yaml:"searches"`               // (source, query) pairs
	SnowballRounds int            `json:"snowball_rounds" yaml:"snowball_rounds"` // 0 switches snowballing off
	Tokens         int            `json:"tokens" yaml:"tokens"`
	Dollars        float64        `json:"dollars" yaml:"dollars"`
	Minutes        float64        `json:"minutes" yaml:"minutes"`             // wall time
	WritingShare   float64        `json:"writing_share" yaml:"writing_share"` // of tokens and money kept for synthesis and report
	Credits        map[string]int `json:"credits,omitempty" yaml:"credits"`   // per source
}

// DefaultSettings returns the defaults of every method parameter.
func DefaultSettings() Settings {
	return Settings{
		Sources: []string{"arxiv", "crossref", "openalex", "pubmed", "semanticscholar"},
		Plan:    PlanSettings{MaxSubquestions: 5, IntentsPerSubquestion: 2, QueriesPerIntent: 4},
		Search:  SearchSettings{HitsPerQuery: 25, Rungs: 3},
		Screening: ScreeningSettings{
			Batch: 10, Relevant: 0.5, ClearlyRelevant: 0.7,
		},
		Ranking: RankingSettings{
			Relevance: 0.60, Impact: 0.15, Recency: 0.15, Corroboration: 0.10, RecencyHalfLife: 5,
		},
		Snowball: SnowballSettings{
			LowYieldShare: 0.10, LowYieldMinimum: 2, LowYieldRounds: 2, SeedsPerRound: 1, CandidatesLimit: 100,
		},
		Reading: ReadingSettings{AbstractStrengthCap: 0.6, ClaimsPerPair: 3},
		Budgets: Budgets{
			Iterations: 3, Documents: 40, Searches: 60, SnowballRounds: 6, WritingShare: 0.10,
		},
	}
}
