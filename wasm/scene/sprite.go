package scene

// Sprite returns the definitions that every stage on a page refers to: steel,
// the patterns of tickets, arrow heads and glyphs. A page holds it once.
func Sprite() string { return sprite }

const sprite = `<svg class="sprite" width="0" height="0" aria-hidden="true" focusable="false"><defs>` +
	`<linearGradient id="s-steel" x1="0" y1="0" x2="0" y2="1"><stop offset="0" class="st-hi"/><stop offset=".35" class="st-mid"/><stop offset="1" class="st-lo"/></linearGradient>` +
	`<pattern id="s-p1" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="pp" width="3" height="7"/></pattern>` +
	`<pattern id="s-p2" width="6" height="6" patternUnits="userSpaceOnUse"><circle class="pp" cx="3" cy="3" r="1.7"/></pattern>` +
	`<pattern id="s-p3" width="6" height="6" patternUnits="userSpaceOnUse"><rect class="pp" width="2.6" height="6"/></pattern>` +
	`<pattern id="s-p4" width="9" height="6" patternUnits="userSpaceOnUse"><path class="ps" d="M-1 5 4.5 1 10 5" fill="none" stroke-width="2"/></pattern>` +
	`<pattern id="s-p5" width="8" height="8" patternUnits="userSpaceOnUse"><path class="pp" d="M0 0h4v4H0zM4 4h4v4H4z"/></pattern>` +
	`<pattern id="s-p6" width="6" height="5" patternUnits="userSpaceOnUse"><rect class="pp" y="1.5" width="6" height="2"/></pattern>` +
	`<pattern id="s-p7" width="9" height="9" patternUnits="userSpaceOnUse"><path class="pp" d="M4.5 .8 8.2 4.5 4.5 8.2.8 4.5z"/></pattern>` +
	`<pattern id="s-hatch" width="8" height="8" patternUnits="userSpaceOnUse" patternTransform="rotate(-45)"><rect class="hc" width="2" height="8"/></pattern>` +
	`<marker id="s-ah" viewBox="0 0 8 8" refX="6.5" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse"><path class="ah" d="M1 1 7 4 1 7z"/></marker>` +
	`<marker id="s-ah-exp" viewBox="0 0 8 8" refX="6.5" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="ah-exp" d="M1 1 7 4 1 7z"/></marker>` +
	`<marker id="s-ah-ref" viewBox="0 0 8 8" refX="6.5" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="ah-ref" d="M1 1 7 4 1 7z"/></marker>` +
	`<marker id="s-ah-crash" viewBox="0 0 8 8" refX="6.5" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="ah-crash" d="M1 1 7 4 1 7z"/></marker>` +
	`<marker id="s-ah-done" viewBox="0 0 8 8" refX="6.5" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="ah-done" d="M1 1 7 4 1 7z"/></marker>` +
	`<marker id="s-ah-dead" viewBox="0 0 8 8" refX="6.5" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path class="ah-dead" d="M1 1 7 4 1 7z"/></marker>` +
	`</defs>` +
	`<symbol id="s-ack" viewBox="0 0 16 16"><path d="M2.5 8.5 6.3 12.3 13.5 4" fill="none" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"/></symbol>` +
	`<symbol id="s-expiry" viewBox="0 0 16 16"><path d="M3.5 2h9M3.5 14h9M4.8 2.5c0 3.5 6.4 7.5 6.4 11M11.2 2.5c0 3.5-6.4 7.5-6.4 11" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round"/><path d="M6 12.8c.6-1.4 1.3-2 2-2.7.7.7 1.4 1.3 2 2.7z" fill="currentColor"/></symbol>` +
	`<symbol id="s-crash" viewBox="0 0 16 16"><path d="M8 .8l1.5 3.7 3.9-1.2-1.6 3.7 3.6 1.5-3.8 1.3 1.4 3.8-3.7-1.5L8 15.6l-1.3-3.5L3 13.6l1.4-3.8L.6 8.5l3.6-1.5L2.6 3.3l3.9 1.2z" fill="currentColor"/></symbol>` +
	`<symbol id="s-dead" viewBox="0 0 16 16"><path d="M1.5 8.5v4.2h13V8.5" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round"/><path d="M8 1.5v6M5 5l3 3.3L11 5" fill="none" stroke="currentColor" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></symbol>` +
	`<symbol id="s-refused" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" stroke-width="2"/><path d="M3.9 12.1 12.1 3.9" stroke="currentColor" stroke-width="2"/></symbol>` +
	`<symbol id="s-mail" viewBox="0 0 16 16"><path d="M1.5 3.5h13v9h-13z" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round"/><path d="M2 4.2 8 9l6-4.8" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round"/></symbol>` +
	`<symbol id="s-slip" viewBox="0 0 16 16"><path d="M3.5 1.5h9v13l-1.5-1.4-1.5 1.4L8 13.1l-1.5 1.4L5 13.1l-1.5 1.4z" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round"/><path d="M6 5h4M6 8h4" stroke="currentColor" stroke-width="1.5" stroke-linecap="round"/></symbol>` +
	`<symbol id="s-coin" viewBox="0 0 16 16"><rect x="1.5" y="3.5" width="13" height="9" rx="1.5" fill="none" stroke="currentColor" stroke-width="1.5"/><path d="M2 6.8h12" stroke="currentColor" stroke-width="2"/></symbol>` +
	`<symbol id="s-close" viewBox="0 0 16 16"><path d="M4 4l8 8M12 4l-8 8" stroke="currentColor" stroke-width="1.8" stroke-linecap="round"/></symbol>` +
	`<symbol id="s-clock" viewBox="0 0 16 16"><circle cx="8" cy="8" r="6.2" fill="none" stroke="currentColor" stroke-width="1.6"/><path d="M8 4.2V8l2.6 1.8" fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round"/></symbol>` +
	`<symbol id="s-plus" viewBox="0 0 16 16"><path d="M8 3v10M3 8h10" stroke="currentColor" stroke-width="2" stroke-linecap="round"/></symbol>` +
	`<symbol id="s-minus" viewBox="0 0 16 16"><path d="M3 8h10" stroke="currentColor" stroke-width="2" stroke-linecap="round"/></symbol>` +
	`<symbol id="s-pause" viewBox="0 0 16 16"><path d="M5.2 3.5v9M10.8 3.5v9" stroke="currentColor" stroke-width="2.4" stroke-linecap="round"/></symbol>` +
	`<symbol id="s-resume" viewBox="0 0 16 16"><path d="M5 3l8 5-8 5z" fill="currentColor"/></symbol>` +
	`<symbol id="s-edit" viewBox="0 0 16 16"><path d="M3 13l.8-3.2L10.6 3l2.4 2.4-6.8 6.8zM9.2 4.4l2.4 2.4" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linejoin="round"/></symbol>` +
	`<symbol id="s-redrive" viewBox="0 0 16 16"><path d="M13 12.5V9a4 4 0 0 0-4-4H3M6 2L3 5l3 3" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/></symbol>` +
	`<symbol id="s-lock" viewBox="0 0 16 16"><rect x="3" y="7" width="10" height="7" rx="1" fill="currentColor"/><path d="M5 7V5a3 3 0 0 1 6 0v2" fill="none" stroke="currentColor" stroke-width="1.8"/></symbol>` +
	`</svg>`
