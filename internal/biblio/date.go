package biblio

import (
	"fmt"
	"strings"
)

// Years that a publication can have; what is outside is a slip of the pen.
const (
	firstYear = 1000
	lastYear  = 2100
)

var monthNames = []string{"jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"}

// date reads a date in the spellings of the formats and gives YYYY, YYYY-MM or
// YYYY-MM-DD: "2023/05/07/", "2023-5", "1996 Jul 9", "7 May 2020", "Spring
// 2019". "" when there is no year.
func date(s string) string {
	if clean, ok := cleanDate(s); ok {
		return clean
	}
	if len(s) > 200 {
		s = s[:200]
	}
	parts := strings.FieldsFunc(s, func(r rune) bool {
		return !(r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z')
	})
	year := -1
	for i, p := range parts {
		if y, ok := number(p); ok && len(p) == 4 && y >= firstYear && y <= lastYear {
			year = i
			break
		}
	}
	if year < 0 {
		if len(s) == 8 && digits(s) { // 20230507
			return dateOf(s[:4], s[4:6], s[6:])
		}
		return ""
	}
	var month, day string
	for i := range parts { // a month in letters says which part is which
		if m := monthOf(parts[i]); m != "" {
			month = m
			switch {
			case i+1 < len(parts) && i+1 != year && dayOf(parts[i+1]):
				day = parts[i+1]
			case i > 0 && i-1 != year && dayOf(parts[i-1]):
				day = parts[i-1]
			}
			return dateOf(parts[year], month, day)
		}
	}
	if year == 0 && len(parts) > 1 {
		month = parts[1]
		if len(parts) > 2 {
			day = strings.SplitN(parts[2], "T", 2)[0]
		}
	}
	return dateOf(parts[year], month, day)
}

// cleanDate is the short way for what is a date already.
func cleanDate(s string) (string, bool) {
	switch len(s) {
	case 4:
	case 7:
		if s[4] != '-' {
			return "", false
		}
	case 10:
		if s[4] != '-' || s[7] != '-' {
			return "", false
		}
	default:
		return "", false
	}
	for i := 0; i < len(s); i++ {
		if (s[i] < '0' || s[i] > '9') && i != 4 && i != 7 {
			return "", false
		}
	}
	parts := [3]string{s[:4]}
	if len(s) > 4 {
		parts[1] = s[5:7]
	}
	if len(s) > 7 {
		parts[2] = s[8:]
	}
	if d := dateOf(parts[0], parts[1], parts[2]); d == s {
		return s, true
	}
	return "", false
}

// dateOf joins what is valid from the left.
func dateOf(year, month, day string) string {
	y, ok := number(year)
	if !ok || len(year) != 4 || y < firstYear || y > lastYear {
		return ""
	}
	m, ok := number(month)
	if !ok || m < 1 || m > 12 || len(month) > 2 {
		return year
	}
	d, ok := number(day)
	if !ok || d < 1 || d > 31 || len(day) > 2 {
		return year + twoDigits(m)
	}
	return year + twoDigits(m) + twoDigits(d)
}

func twoDigits(n int) string { return string([]byte{'-', byte('0' + n/10), byte('0' + n%10)}) }

// monthOf gives the number of a month in English, whole or short; "" for other
// words. "March" and "mar" are months, "market" is none.
func monthOf(s string) string {
	if len(s) < 3 || len(s) > 9 {
		return ""
	}
	low := strings.ToLower(s)
	for i, m := range monthNames {
		if strings.HasPrefix(low, m) && (len(low) == 3 || low == longMonths[i] || i == 8 && low == "sept") {
			return fmt.Sprintf("%02d", i+1)
		}
	}
	return ""
}

var longMonths = []string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"}

func dayOf(s string) bool {
	n, ok := number(s)
	return ok && len(s) <= 2 && n >= 1 && n <= 31
}
