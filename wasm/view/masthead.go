package view

import "github.com/maxence-charriere/go-app/v10/pkg/app"

// sections are the parts of the site, in the order in which the header has them.
var sections = []Way{
	{"Lessons", "lessons/"}, {"Practice", "practice/"}, {"Sandbox", "sandbox/"}, {"Glossary", "glossary/"},
}

// masthead is the header of every page: the name, the parts of the site, the search
// and the tools of the page. here is the address of the part that the page is
// in. Where there is little room, the parts are behind a button; a popover
// needs no script.
func masthead(root, here string, tools ...app.UI) app.UI {
	links := make([]app.UI, 0, len(sections))
	for _, place := range sections {
		link := el("a").Attr("href", root+place.Address)
		if place.Address == here {
			link = link.Aria("current", "page")
		}
		links = append(links, el("li").Body(link.Text(place.Title)))
	}
	return el("header").Class("bar").Body(
		el("a").Class("brand").Attr("href", root).Body(
			app.Raw(`<svg class="mark" aria-hidden="true"><use href="#g-mark"/></svg>`),
			el("span").Text("Ticketrail"),
		),
		el("button").Class("btn menu").Attr("type", "button").Attr("popovertarget", "parts").Text("Menu"),
		el("div").Class("parts").ID("parts").Attr("popover", "auto").Body(
			el("nav").Aria("label", "Main").Body(el("ul").Body(links...)),
			find(root, here),
		),
		el("div").Class("tools").Body(append(tools,
			el("button").Class("btn icon").Attr("type", "button").DataSet("do", "theme").Aria("label", "Light or dark").Body(icon("sun", "")),
		)...),
	)
}

// find is the field for a search; the search's own page has a larger one.
func find(root, here string) app.UI {
	if here == "search/" {
		return nil
	}
	return el("form").Class("find").Role("search").Attr("action", root+"search/").Body(
		el("input").Attr("type", "search").Attr("name", "q").Attr("placeholder", "Search").Attr("autocomplete", "off").
			Aria("label", "Search lessons and glossary"),
		el("button").Class("btn icon").Aria("label", "Search").Body(icon("find", "")),
	)
}

// here is the part of the site that the page is in.
func (p *Page) here() string {
	switch p.built.Kind {
	case LessonPage:
		return "lessons/"
	case PracticePage:
		return "practice/"
	case SandboxPage:
		return "sandbox/"
	}
	return ""
}
