package lessons

import (
	"encoding/json"
	"slices"

	"github.com/ticketrail/ticketrail/core/lesson"
	"github.com/ticketrail/ticketrail/core/scenario"
)

// holds is what a field of a form holds.
type holds string

const (
	aText     holds = "a text" // also a number or a word of YAML, which is taken as it is written
	aWhole    holds = "a whole number"
	aNumber   holds = "a number"
	aBool     holds = "true or false"
	aName     holds = "one of some words"
	aProse    holds = "Markdown"
	someTexts holds = "a list of texts, or one"
	anything  holds = "a value: a text, a number, or a list"
	choices   holds = "a list of choices"
	solutions holds = "a handler, or settings by their paths"
)

// How many minutes a lesson can be said to take; the house asks for less.
const shortest, longest = 1, 60

// field is a field of a form.
type field struct {
	name     string
	holds    holds
	doc      string
	needed   bool
	words    []string // of aName
	min, max int      // of aWhole
}

// The forms: what is read, and what JSON Schema says of it.
var (
	frontForm = []field{
		{name: "format", holds: aWhole, needed: true, min: lesson.Format, max: lesson.Format, doc: "the version of this form"},
		{name: "title", holds: aText, needed: true, doc: "the title of the lesson"},
		{name: "minutes", holds: aWhole, needed: true, min: shortest, max: longest, doc: "how long it takes"},
		{name: "level", holds: aName, needed: true, words: lesson.Levels, doc: "how far into the subject it is"},
		{name: "needs", holds: someTexts, doc: "folders of the lessons before it"},
		{name: "objectives", holds: someTexts, doc: "what a reader can do afterwards"},
		{name: "not_here", holds: someTexts, doc: "what is left for another lesson"},
	}
	questionForm = []field{
		{name: "question", holds: aProse, needed: true, doc: "what is asked"},
		{name: "form", holds: aName, words: lesson.FormsOfQuestions, doc: "how it is answered; choice without it"},
		{name: "answer", holds: aText, doc: "how the run gives the answer; of a quiz about no run, the number"},
		{name: "choices", holds: choices, doc: "what can be chosen"},
		{name: "order", holds: aName, words: []string{"shuffled", "kept"}, doc: "whether choices stay as they are written"},
		{name: "unit", holds: aText, doc: "of a number"},
		{name: "tolerance", holds: aText, doc: "by how much a number may differ: 0.1, or 10%"},
		{name: "from", holds: aNumber, doc: "the smallest number that can be given"},
		{name: "to", holds: aNumber, doc: "the largest number that can be given"},
		{name: "why", holds: aProse, doc: "what explains the answer"},
		{name: "see", holds: aText, doc: "the moment that decides: second effect 101"},
	}
	choiceForm = []field{
		{name: "say", holds: aProse, doc: "the choice as one reads it"},
		{name: "value", holds: anything, doc: "what the answer equals when it is right"},
		{name: "is", holds: aText, doc: "what is so in the run when it is right"},
		{name: "right", holds: aBool, doc: "it is right; of a quiz about no run"},
		{name: "because", holds: aProse, doc: "what whoever chose it has not seen"},
		{name: "see", holds: aText, doc: "the moment that shows it"},
	}
	challengeForm = []field{
		{name: "task", holds: aProse, doc: "the goal in words"},
		{name: "goal", holds: aText, needed: true, doc: "an expression over the outcome"},
		{name: "unlock", holds: aText, needed: true, doc: "what may be changed: paths with commas between them, handler, or all"},
		{name: "seeds", holds: aText, doc: "the runs in which the goal has to hold: 1..20"},
		{name: "hint", holds: someTexts, doc: "what helps, one after the other"},
		{name: "solution", holds: solutions, doc: "what reaches the goal"},
		{name: "why", holds: aProse, doc: "said when it is solved"},
	}
	// blockForms are the blocks with fields, by their names.
	blockForms = map[string][]field{"predict": questionForm, "quiz": questionForm, "challenge": challengeForm}
)

// namesOf are the names of a form's fields.
func namesOf(form []field) (names []string) {
	for _, f := range form {
		names = append(names, f.name)
	}
	return names
}

// object is a JSON object whose members are written in the order of their
// names.
type object map[string]any

// Schema returns the JSON Schema of a lesson's front matter, with those of the
// blocks that have fields in its $defs, so that editors complete and check
// them. Rules between fields, names and runs are the matter of rail check.
func Schema() ([]byte, error) {
	root := schemaOf(frontForm)
	root["$schema"] = "https://json-schema.org/draft/2020-12/schema"
	root["title"] = "Ticketrail lesson"
	scenarios := json.RawMessage(scenario.Schema())
	blocks := object{"scenario": scenarios, "choice": schemaOf(choiceForm)}
	for name, form := range blockForms {
		blocks[name] = schemaOf(form)
	}
	root["$defs"] = blocks
	return json.Marshal(root)
}

func schemaOf(form []field) object {
	properties, required := object{}, []string{}
	for _, f := range form {
		inner := f.schema()
		inner["description"] = f.doc
		properties[f.name] = inner
		if f.needed {
			required = append(required, f.name)
		}
	}
	slices.Sort(required)
	return object{"type": "object", "additionalProperties": false, "properties": properties, "required": required}
}

func (f *field) schema() object {
	scalar := object{"type": []string{"string", "number", "boolean"}}
	switch f.holds {
	case aWhole:
		return object{"type": "integer", "minimum": f.min, "maximum": f.max}
	case aNumber:
		return object{"type": "number"}
	case aBool:
		return object{"type": "boolean"}
	case aName:
		return object{"enum": f.words}
	case someTexts:
		return object{"type": []string{"array", "string", "number", "boolean"}, "items": scalar}
	case anything:
		return object{"type": []string{"array", "string", "number", "boolean"}}
	case choices:
		choice := object{"anyOf": []any{object{"type": []string{"string", "number", "boolean", "array"}}, object{"$ref": "#/$defs/choice"}}}
		return object{"type": "array", "items": choice}
	case solutions:
		return object{"type": []string{"string", "object"}, "additionalProperties": scalar}
	}
	return scalar
}
