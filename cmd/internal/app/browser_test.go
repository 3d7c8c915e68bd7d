//go:build browser

package app

import (
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// What a person sees of the flow diagram: a browser draws it, there is ink on
// it, and nothing runs over its edge.
func TestFlowDiagramInABrowser(t *testing.T) {
	chromium, err := exec.LookPath("chromium")
	if err != nil {
		t.Fatal("chromium is not installed; this suite needs it")
	}
	c, err := smallConfig()
	if err != nil {
		t.Fatal(err)
	}
	res := start(t, c)
	shot := filepath.Join(t.TempDir(), "flow.png")
	out, err := exec.Command(chromium, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--user-data-dir="+t.TempDir(),
		"--hide-scrollbars", "--window-size=1400,1200", "--screenshot="+shot, "file://"+filepath.Join(res.Dir, "prisma.svg")).CombinedOutput()
	if err != nil {
		t.Fatalf("chromium: %v\n%s", err, out)
	}
	f, err := os.Open(shot)
	if err != nil {
		t.Fatalf("no screenshot: %v\n%s", err, out)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	b := img.Bounds()
	ink := 0
	for y := b.Min.Y; y < b.Max.Y; y++ {
		for x := b.Min.X; x < b.Max.X; x++ {
			if dark(img, x, y) {
				ink++
				if x < b.Min.X+2 || y < b.Min.Y+2 || x >= b.Max.X-2 || y >= b.Max.Y-2 {
					t.Fatalf("the drawing runs over the edge at %d,%d", x, y)
				}
			}
		}
	}
	if ink < 2000 {
		t.Errorf("only %d dark pixels: the diagram is empty", ink)
	}
}

func dark(img image.Image, x, y int) bool {
	r, g, b, _ := img.At(x, y).RGBA()
	return r+g+b < 3*0x6000
}
