package view

import (
	"strconv"

	"github.com/maxence-charriere/go-app/v10/pkg/app"
)

// el is an element by its tag. go-app has a type for each tag as well; every
// one of them that is used adds some 20 KB to the program.
func el(tag string) app.HTMLElem { return app.Elem(tag) }

const svg = "http://www.w3.org/2000/svg"

// share is the class that carries a part of a whole, 0 to 100.
func share(n int) string { return "n" + strconv.Itoa(max(0, min(n, 100))) }

// clicked returns the value of the attribute data-name of the element that an
// event happened in, looking upwards; "" when there is none.
func clicked(e app.Event, name string) string {
	target := e.Get("target")
	if !target.Truthy() {
		return ""
	}
	found := target.Call("closest", "[data-"+name+"]")
	if !found.Truthy() || found.Get("ariaDisabled").String() == "true" {
		return ""
	}
	return found.Call("getAttribute", "data-"+name).String()
}

func number(s string) int {
	n, _ := strconv.Atoi(s)
	return n
}
