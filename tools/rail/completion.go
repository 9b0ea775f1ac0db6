package main

import (
	"fmt"
	"os"

	"github.com/posener/complete"
)

type completionCommand struct {
	Shell string `arg:"" enum:"bash,zsh,fish" help:"bash, zsh or fish."`
}

// Help tells how to use what the command prints.
func (*completionCommand) Help() string {
	return `Examples:
  source <(rail completion bash)
  rail completion zsh >> ~/.zshrc
  rail completion fish > ~/.config/fish/completions/rail.fish`
}

// Run prints the completion lines of a shell. The shell asks rail itself what
// can follow, so they never grow old.
func (c *completionCommand) Run(t *terminal) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	lines := map[string]string{
		"bash": "complete -o default -C %[1]q rail\n",
		"zsh":  "autoload -U +X bashcompinit && bashcompinit\ncomplete -o default -C %[1]q rail\n",
		"fish": "complete -c rail -a '(COMP_LINE=(commandline -cp) COMP_POINT=(string length (commandline -cp)) %[1]q)'\n",
	}
	_, err = fmt.Fprintf(t.out, lines[c.Shell], self)
	return err
}

// scenarioPredictor completes scenario files and folders.
func scenarioPredictor() complete.Predictor {
	predictors := []complete.Predictor{complete.PredictDirs("*")}
	for _, extension := range append([]string{lesson}, extensions...) {
		predictors = append(predictors, complete.PredictFiles("*"+extension))
	}
	return complete.PredictOr(predictors...)
}
