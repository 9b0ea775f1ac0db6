package scenario

// Schema returns the JSON Schema of scenarios, so that editors complete and
// check them. It says what each field takes; the rules between fields are
// the decoder's.
func Schema() []byte {
	root := object().
		add("$schema", textNode("https://json-schema.org/draft/2020-12/schema")).
		add("title", textNode("Ticketrail scenario"))
	root.Fields = append(root.Fields, scenarioRecord.schema().Fields...)
	return root.JSON()
}

func object() *Node { return &Node{Kind: MapNode} }

func typed(name string) *Node { return object().add("type", textNode(name)) }

func texts(words ...string) *Node {
	n := listNode()
	for _, w := range words {
		n.Items = append(n.Items, textNode(w))
	}
	return n
}

func oneOfForms(forms ...*Node) *Node { return object().add("anyOf", listNode(forms...)) }

// scalar is what a text field takes: YAML gives numbers and words as such.
func scalar() *Node { return object().add("type", texts("string", "number", "boolean")) }

// textual is a text with a pattern, or the number 0 that needs no unit.
func textual(pattern string) *Node {
	return object().
		add("type", texts("string", "integer")).
		add("pattern", textNode(pattern)).
		add("minimum", intNode(0)).
		add("maximum", intNode(0))
}

func (f durationForm) schema() *Node {
	never := ""
	if f.never {
		never = "|never"
	}
	return textual(`^([0-9]+(\.[0-9]+)? *(h|m|s|ms|us|ns)|0` + never + `)$`)
}

func (rateForm) schema() *Node        { return textual(`^[0-9]+ */ *(s|m|h)$`) }
func (probabilityForm) schema() *Node { return textual(`^([0-9]+(\.[0-9]+)? *%|0)$`) }
func (seedForm) schema() *Node        { return typed("integer").add("minimum", intNode(0)) }
func (boolForm) schema() *Node        { return typed("boolean") }
func (textForm) schema() *Node        { return scalar() }
func (nameForm) schema() *Node        { return scalar() }
func (deadLetterForm) schema() *Node  { return scalar() }
func (errorForm) schema() *Node       { return scalar() }
func (handlerForm) schema() *Node     { return typed("string") }
func (idForm) schema() *Node          { return object().add("type", texts("integer", "string")) }
func (editForm) schema() *Node        { return idForm{}.schema() }
func (keyForm) schema() *Node         { return object().add("type", texts("string", "number", "null")) }
func (bodyForm) schema() *Node        { return object() }
func (toForm) schema() *Node          { return object() }
func (spreadForm) schema() *Node      { return object().add("enum", texts("exponential")) }
func (f choiceForm[C]) schema() *Node { return object().add("enum", texts(f.words...)) }

func (f countForm) schema() *Node {
	return typed("integer").add("minimum", intNode(f.min)).add("maximum", intNode(f.max))
}

func (f namesForm) schema() *Node {
	list := typed("array").add("items", typed("string"))
	if f.one {
		return oneOfForms(typed("string"), list)
	}
	return list
}

func (latencyForm) schema() *Node {
	return oneOfForms(durationForm{}.schema(), latencyRecord.schema())
}

func (crashForm) schema() *Node {
	return oneOfForms(crashRecord.schema(), listOf[ExactCrash]{exactCrashRecord}.schema())
}

func (f producerRetry) schema() *Node { return f.of.schema() }

func (expectForm) schema() *Node {
	return object().add("type", texts("array", "null")).add("items", scalar())
}

func (f listOf[T]) schema() *Node {
	return object().add("type", texts("array", "null")).add("items", f.of.schema())
}

func (f named[T]) schema() *Node {
	names := object().add("pattern", textNode(f.allowed.pattern.String())).add("maxLength", intNode(maxName))
	return object().
		add("type", texts("object", "null")).
		add("propertyNames", names).
		add("additionalProperties", f.of.schema())
}

// schemer is every form. It is not part of the interface, so that a program
// that asks for no schema, such as the page's, does not carry them.
type schemer interface{ schema() *Node }

func (r *record) schema() *Node {
	fields, required := object(), listNode()
	for _, f := range r.fields {
		inner := f.form.(schemer).schema().add("description", textNode(f.doc))
		if f.def != "" {
			inner.add("default", &Node{Kind: Plain(f.def), Text: f.def})
		}
		fields.add(f.name, inner)
		if f.required {
			required.Items = append(required.Items, textNode(f.name))
		}
	}
	n := object().add("type", texts("object", "null")).add("additionalProperties", boolNode(false)).add("properties", fields)
	if len(required.Items) > 0 {
		n.add("required", required)
	}
	return n
}
