package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// leaf is a value within a JSON object, by its path.
type leaf struct{ path, text string }

// leaves lists the values of a JSON object in its order. A list of plain
// values is one value.
func leaves(data []byte) ([]leaf, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	w := walker{decoder: decoder}
	if err := w.value(""); err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	return w.list, nil
}

type walker struct {
	decoder *json.Decoder
	list    []leaf
}

func (w *walker) value(path string) error {
	token, err := w.decoder.Token()
	if err != nil {
		return err
	}
	switch token {
	case json.Delim('{'):
		return w.object(path)
	case json.Delim('['):
		return w.array(path)
	}
	w.list = append(w.list, leaf{path, plain(token)})
	return nil
}

func plain(token json.Token) string {
	if token == nil {
		return "null"
	}
	return fmt.Sprint(token)
}

func (w *walker) object(path string) error {
	for w.decoder.More() {
		name, err := w.decoder.Token()
		if err != nil {
			return err
		}
		below := plain(name)
		if path != "" {
			below = path + "." + below
		}
		if err := w.value(below); err != nil {
			return err
		}
	}
	_, err := w.decoder.Token()
	return err
}

func (w *walker) array(path string) error {
	var texts []string
	first := len(w.list)
	for i := 0; w.decoder.More(); i++ {
		before := len(w.list)
		at := fmt.Sprintf("%s[%d]", path, i)
		if err := w.value(at); err != nil {
			return err
		}
		if added := w.list[before:]; len(added) == 1 && added[0].path == at {
			texts = append(texts, added[0].text)
		}
	}
	if len(texts) == len(w.list)-first { // all of them plain
		w.list = append(w.list[:first], leaf{path, "[" + strings.Join(texts, ", ") + "]"})
	}
	_, err := w.decoder.Token()
	return err
}
