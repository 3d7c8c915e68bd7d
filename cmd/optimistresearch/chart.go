package main

import (
	"fmt"
	"html"
	"strings"
)

// Measures of a chart in pixels, and its colours, which are told apart by people
// who see colours differently (Okabe and Ito 2008).
const (
	chartWidth, chartHeight = 720, 420
	plotLeft, plotTop       = 60, 40
	plotWidth, plotHeight   = 620, 260
	legendLine              = 17
)

var chartColours = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"}

// chart is lines over [0,1] × [0,1]; the points of a line are equally far apart.
type chart struct {
	title, x, y string
	lines       []curve
}

type curve struct {
	name   string
	values []float64
}

// svg draws the chart.
func (c chart) svg() string {
	var w strings.Builder
	begin(&w, c.title, len(c.lines))
	axis(&w)
	for i := 0; i <= 5; i++ {
		v := float64(i) / 5
		fmt.Fprintf(&w, "<text x=\"%.0f\" y=\"%d\" text-anchor=\"middle\">%.1f</text>\n", plotLeft+v*plotWidth, plotTop+plotHeight+16, v)
	}
	fmt.Fprintf(&w, "<text x=\"%d\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", plotLeft+plotWidth/2, plotTop+plotHeight+34, html.EscapeString(c.x))
	fmt.Fprintf(&w, "<text transform=\"translate(16,%d) rotate(-90)\" text-anchor=\"middle\">%s</text>\n", plotTop+plotHeight/2, html.EscapeString(c.y))
	for i, l := range c.lines {
		var points []string
		for k, v := range l.values {
			points = append(points, fmt.Sprintf("%.1f,%.1f", plotLeft+plotWidth*float64(k)/float64(max(len(l.values)-1, 1)), plotTop+plotHeight*(1-v)))
		}
		fmt.Fprintf(&w, "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/>\n", colour(i), strings.Join(points, " "))
		legend(&w, i, l.name)
	}
	w.WriteString("</svg>\n")
	return w.String()
}

// bars is groups of bars over [0,1].
type bars struct {
	title  string
	groups []string
	bars   []bar
}

type bar struct {
	name   string
	values []float64 // by group
}

// svg draws the bars.
func (c bars) svg() string {
	var w strings.Builder
	begin(&w, c.title, len(c.bars))
	axis(&w)
	group := float64(plotWidth) / float64(max(len(c.groups), 1))
	one := 0.8 * group / float64(max(len(c.bars), 1))
	for g, name := range c.groups {
		left := plotLeft + group*float64(g)
		fmt.Fprintf(&w, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>\n", left+group/2, plotTop+plotHeight+16, html.EscapeString(name))
		for i, b := range c.bars {
			h := plotHeight * b.values[g]
			fmt.Fprintf(&w, "<rect x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\" fill=\"%s\"><title>%s: %.3f</title></rect>\n",
				left+0.1*group+one*float64(i), plotTop+plotHeight-h, one*0.9, h, colour(i), html.EscapeString(b.name), b.values[g])
		}
	}
	for i, b := range c.bars {
		legend(&w, i, b.name)
	}
	w.WriteString("</svg>\n")
	return w.String()
}

func begin(w *strings.Builder, title string, entries int) {
	height := max(chartHeight, plotTop+plotHeight+50+legendLine*(entries+1))
	fmt.Fprintf(w, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" role=\"img\" font-family=\"sans-serif\" font-size=\"12\">\n", chartWidth, height, chartWidth, height)
	fmt.Fprintf(w, "<title>%s</title>\n<rect width=\"100%%\" height=\"100%%\" fill=\"#ffffff\"/>\n<text x=\"%d\" y=\"22\" font-size=\"14\">%s</text>\n", html.EscapeString(title), plotLeft, html.EscapeString(title))
}

// axis draws the frame and the lines of the upright axis.
func axis(w *strings.Builder) {
	for i := 0; i <= 5; i++ {
		y := plotTop + plotHeight*(1-float64(i)/5)
		fmt.Fprintf(w, "<line x1=\"%d\" y1=\"%.0f\" x2=\"%d\" y2=\"%.0f\" stroke=\"#dddddd\"/>\n<text x=\"%d\" y=\"%.0f\" text-anchor=\"end\">%.1f</text>\n", plotLeft, y, plotLeft+plotWidth, y, plotLeft-6, y+4, float64(i)/5)
	}
}

func legend(w *strings.Builder, i int, name string) {
	y := plotTop + plotHeight + 50 + legendLine*i
	fmt.Fprintf(w, "<rect x=\"%d\" y=\"%d\" width=\"12\" height=\"12\" fill=\"%s\"/>\n<text x=\"%d\" y=\"%d\">%s</text>\n", plotLeft, y, colour(i), plotLeft+18, y+10, html.EscapeString(name))
}

func colour(i int) string { return chartColours[i%len(chartColours)] }
