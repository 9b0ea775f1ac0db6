package scene

// curve is a cubic Bézier from (0,0) to (1,1), as CSS has it. The eases are
// those of web/css/tokens.css.
type curve struct{ x1, y1, x2, y2 float64 }

var (
	easeMove   = curve{.3, .0, .15, 1}
	easeDrop   = curve{.5, .0, .9, .6}
	easeSettle = curve{.2, 1.2, .35, 1}
	easeStamp  = curve{.2, .9, .25, 1.25}
)

// at returns the progress of the movement at the fraction t of its time.
func (c curve) at(t float64) float64 {
	if t <= 0 {
		return 0
	}
	if t >= 1 {
		return 1
	}
	// x is monotonic: bisection is as exact as needed and never diverges.
	low, high, u := 0.0, 1.0, t
	for range 20 {
		x := bezier1(c.x1, c.x2, u)
		if x < t {
			low = u
		} else {
			high = u
		}
		u = (low + high) / 2
	}
	return bezier1(c.y1, c.y2, u)
}

func bezier1(a, b, u float64) float64 {
	v := 1 - u
	return 3*v*v*u*a + 3*v*u*u*b + u*u*u
}

// path is a cubic Bézier in the plane.
type path [4]point

func line(a, b point) path {
	return path{a, {a.x + (b.x-a.x)/3, a.y + (b.y-a.y)/3}, {a.x + (b.x-a.x)*2/3, a.y + (b.y-a.y)*2/3}, b}
}

func (p *path) at(u float64) point {
	v := 1 - u
	a, b, c, d := v*v*v, 3*v*v*u, 3*v*u*u, u*u*u
	return point{
		a*p[0].x + b*p[1].x + c*p[2].x + d*p[3].x,
		a*p[0].y + b*p[1].y + c*p[2].y + d*p[3].y,
	}
}

// appendData writes the path as the value of a d attribute.
func (p *path) appendData(b []byte) []byte {
	b = append(b, 'M')
	for i, q := range p {
		if i == 1 {
			b = append(b, 'C')
		} else if i > 0 {
			b = append(b, ' ')
		}
		b = appendNumber(b, q.x)
		b = append(b, ' ')
		b = appendNumber(b, q.y)
	}
	return b
}
