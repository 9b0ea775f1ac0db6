package story

import "reflect"

// unfilled returns the names of phrases that have no text. Names of things may
// stand alone, so those of workers are not asked for.
func unfilled(w Words) []string {
	var names []string
	for _, v := range []reflect.Value{reflect.ValueOf(w), reflect.ValueOf(w.Life)} {
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if v.Field(i).Kind() == reflect.String && v.Field(i).String() == "" && name != "WorkerWithin" {
				names = append(names, name)
			}
		}
	}
	return names
}
