package main

import (
	"fmt"
	"strings"
)

// settings are the flags that change a scenario before it is run.
type settings struct {
	Seed  *uint64  `placeholder:"N" help:"Another seed: other chances, the same rules."`
	Until string   `placeholder:"DURATION" help:"End the run at this time, such as 90s."`
	Set   []string `sep:"none" value:"PATH=VALUE" help:"Change a setting, such as workers.mailer.count=3. Can be given more than once."`
}

// change is one setting that the command line replaces.
type change struct{ flag, path, value string }

// changes are those that the flags ask for, in the order in which they apply.
func (s *settings) changes() ([]change, error) {
	list, err := assignments("--set", s.Set)
	if err != nil {
		return nil, err
	}
	if s.Seed != nil {
		value := fmt.Sprint(*s.Seed)
		list = append(list, change{"--seed " + value, "seed", value})
	}
	if s.Until != "" {
		list = append(list, change{"--until " + s.Until, "until", s.Until})
	}
	return list, nil
}

// assignments reads the values of a flag that takes paths and values.
func assignments(flag string, texts []string) ([]change, error) {
	var list []change
	for _, text := range texts {
		path, value, ok := strings.Cut(text, "=")
		if !ok || path == "" {
			return nil, fmt.Errorf("%s %s: write a path and a value, such as %s workers.mailer.count=3", flag, text, flag)
		}
		list = append(list, change{flag + " " + text, path, value})
	}
	return list, nil
}

// flags writes the settings as on a command line, with a space before each.
func (s *settings) flags() string {
	text := ""
	if s.Seed != nil {
		text += fmt.Sprintf(" --seed %d", *s.Seed)
	}
	if s.Until != "" {
		text += " --until " + s.Until
	}
	for _, set := range s.Set {
		text += " --set " + shellWord(set)
	}
	return text
}

// shellWord puts quotes around a text that a shell would take apart.
func shellWord(text string) string {
	if !strings.ContainsAny(text, " \t\n'\"\\$`&|;<>()[]{}*?!~#") {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}
