package site

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strconv"

	"github.com/srwiley/oksvg"
	"github.com/srwiley/rasterx"
)

// ground is the colour of the icon's own ground, which fills the corners where
// a system cuts icons into a shape of its own.
var ground = color.RGBA{0x19, 0x1f, 0x24, 0xff}

// icons are the icon as systems want it that take no SVG: the sizes of home
// screens, with round corners as drawn, and with ground all around
// for those that cut it.
var icons = []struct {
	file  string
	size  int
	whole bool // to its corners
}{
	{"icon_small.png", 192, false}, {"icon_large.png", 512, false}, {"icon_cut.png", 512, true}, {"icon_touch.png", 180, true},
}

// pictures writes the icons.
func (b *builder) pictures() error {
	for _, i := range icons {
		data, err := rasterized(b.kit.files["icon.svg"], i.size, i.whole)
		if err != nil {
			return fmt.Errorf("icon.svg: %w", err)
		}
		if err := b.hashed(i.file, data); err != nil {
			return err
		}
	}
	return nil
}

// rasterized draws the icon as a PNG.
func rasterized(svg []byte, size int, whole bool) ([]byte, error) {
	drawing, err := oksvg.ReadIconStream(bytes.NewReader(svg), oksvg.StrictErrorMode)
	if err != nil {
		return nil, err
	}
	picture := image.NewRGBA(image.Rect(0, 0, size, size))
	margin := 0.0
	if whole {
		draw.Draw(picture, picture.Bounds(), image.NewUniform(ground), image.Point{}, draw.Src)
		margin = float64(size) / 10 // four fifths are never cut
	}
	side := float64(size) - 2*margin
	drawing.SetTarget(margin, margin, side, side)
	drawing.Draw(rasterx.NewDasher(size, size, rasterx.NewScannerGV(size, size, picture, picture.Bounds())), 1)
	var out bytes.Buffer
	err = png.Encode(&out, picture)
	return out.Bytes(), err
}

// iconList is the icon as a web manifest lists it.
func (b *builder) iconList() []map[string]string {
	list := []map[string]string{{"src": b.names["icon.svg"], "type": "image/svg+xml", "sizes": "any"}}
	for _, i := range icons {
		entry := map[string]string{"src": b.names[i.file], "type": "image/png", "sizes": strconv.Itoa(i.size) + "x" + strconv.Itoa(i.size)}
		if i.whole {
			entry["purpose"] = "maskable"
		}
		list = append(list, entry)
	}
	return list
}
