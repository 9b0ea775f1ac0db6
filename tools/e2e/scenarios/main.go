// Command scenarios prints scenario files as the page is given them: one JSON
// object a line, with the file's name and its scenario. The browser tests hand
// these to the page, which reads no YAML.
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/ticketrail/ticketrail/core/scenario/scenarioyaml"
)

func main() {
	for _, file := range os.Args[1:] {
		if err := print(file); err != nil {
			fmt.Fprintln(os.Stderr, "scenarios:", err)
			os.Exit(1)
		}
	}
}

func print(file string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	s, problems := scenarioyaml.Decode(text)
	if len(problems) > 0 {
		return fmt.Errorf("%s: %w", file, problems)
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{"file": file, "scenario": json.RawMessage(s.EncodeJSON())})
}
