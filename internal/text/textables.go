package text

// accentSigns are the TeX accents whose name is a sign: \'e, \"o.
var accentSigns = map[byte]rune{
	'\'': 0x0301, '`': 0x0300, '^': 0x0302, '"': 0x0308, '~': 0x0303, '=': 0x0304, '.': 0x0307,
}

// accentNames are the TeX accents whose name is a word: \v{c}, \hat{x}.
var accentNames = map[string]rune{
	"c": 0x0327, "v": 0x030C, "u": 0x0306, "H": 0x030B, "k": 0x0328, "r": 0x030A, "d": 0x0323, "b": 0x0331,
	"acute": 0x0301, "grave": 0x0300, "hat": 0x0302, "widehat": 0x0302, "tilde": 0x0303, "widetilde": 0x0303,
	"bar": 0x0304, "dot": 0x0307, "ddot": 0x0308, "check": 0x030C, "breve": 0x0306, "vec": 0x20D7,
}

// texLetters are commands for letters of running text; a space after one
// belongs to the command.
var texLetters = map[string]string{
	"o": "ø", "O": "Ø", "l": "ł", "L": "Ł", "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å",
	"i": "ı", "j": "ȷ", "dh": "ð", "DH": "Ð", "th": "þ", "TH": "Þ", "dj": "đ", "DJ": "Đ",
}

// texSymbols are other commands that stand for a character.
var texSymbols = map[string]string{
	"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "varepsilon": "ε", "zeta": "ζ", "eta": "η",
	"theta": "θ", "vartheta": "θ", "iota": "ι", "kappa": "κ", "lambda": "λ", "mu": "μ", "nu": "ν", "xi": "ξ", "pi": "π",
	"rho": "ρ", "varrho": "ρ", "sigma": "σ", "varsigma": "ς", "tau": "τ", "upsilon": "υ", "phi": "φ", "varphi": "φ",
	"chi": "χ", "psi": "ψ", "omega": "ω", "Gamma": "Γ", "Delta": "Δ", "Theta": "Θ", "Lambda": "Λ", "Xi": "Ξ", "Pi": "Π",
	"Sigma": "Σ", "Upsilon": "Υ", "Phi": "Φ", "Psi": "Ψ", "Omega": "Ω", "ell": "ℓ", "hbar": "ℏ",

	"times": "×", "pm": "±", "mp": "∓", "cdot": "·", "div": "÷", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "neq": "≠",
	"ne": "≠", "approx": "≈", "simeq": "≃", "sim": "~", "equiv": "≡", "propto": "∝", "ll": "≪", "gg": "≫", "infty": "∞",
	"partial": "∂", "nabla": "∇", "sum": "∑", "prod": "∏", "int": "∫", "sqrt": "√", "in": "∈", "notin": "∉", "subset": "⊂",
	"subseteq": "⊆", "cup": "∪", "cap": "∩", "forall": "∀", "exists": "∃", "to": "→", "rightarrow": "→", "Rightarrow": "⇒",
	"leftarrow": "←", "leftrightarrow": "↔", "mapsto": "↦", "uparrow": "↑", "downarrow": "↓", "circ": "∘", "degree": "°",
	"textdegree": "°", "ast": "∗", "star": "⋆", "dagger": "†", "ddagger": "‡", "bullet": "•", "mid": "|", "log": "log",
	"exp": "exp", "min": "min", "max": "max",
	"ldots": "…", "dots": "…", "cdots": "…", "textellipsis": "…", "textendash": "–", "textemdash": "—",
	"textquoteright": "’", "textquoteleft": "‘", "textquotedblleft": "“", "textquotedblright": "”", "textasciitilde": "~",
	"textbackslash": `\`, "textunderscore": "_", "textregistered": "®", "texttrademark": "™", "copyright": "©", "pounds": "£",
	"euro": "€", "S": "§", "P": "¶", "prime": "′", "textmu": "μ", "slash": "/", "TeX": "TeX", "LaTeX": "LaTeX",
	"lbrace": "{", "rbrace": "}", "langle": "⟨", "rangle": "⟩", "emptyset": "∅", "textsuperscript": "", "textsubscript": "",
}

// referenceCommands are dropped together with their arguments.
var referenceCommands = setOf(`cite citep citet citealp citealt citeauthor citeyear parencite textcite autocite footcite nocite ref eqref
	autoref cref Cref pageref label vspace hspace includegraphics bibliography bibliographystyle thanks footnotemark index
	documentclass usepackage setlength newcommand renewcommand def`)

// fontSwitches act on the rest of their group and have no argument.
var fontSwitches = setOf(`it em bf rm sf tt sc sl bfseries itshape mdseries rmfamily sffamily ttfamily scshape slshape upshape
	normalfont tiny scriptsize footnotesize small normalsize large Large LARGE huge Huge displaystyle textstyle limits
	protect relax noindent centering boldmath`)

// spacing commands separate words.
var spacing = setOf("quad qquad newline par item space enspace thinspace linebreak newpage clearpage hfill hline and")
