package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// peer is another simulator that runs the same model: eight workers at 80%
// load, without and with crashes.
type peer struct {
	name      string
	must, aim float64 // how many times its rate ours is to be
	install   string
	command   []string // run in tools/bench/peers
	needs     func() bool
}

const peersFolder = "tools/bench/peers"

var allPeers = []peer{
	{
		name: "simpy", must: 6, aim: 15, install: "apt-get install python3-simpy",
		command: []string{"/usr/bin/python3", "mm8.py"},
		needs: func() bool {
			return exec.Command("/usr/bin/python3", "-c", "import SimPy.Simulation").Run() == nil
		},
	},
	{
		name: "simjs", must: 2.5, aim: 6, install: "(cd " + peersFolder + " && npm ci)",
		command: []string{"node", "mm8.mjs"},
		needs: func() bool {
			_, err := os.Stat(filepath.Join(peersFolder, "node_modules", "simjs"))
			return err == nil
		},
	},
}

// peers measures ours and theirs one after the other and prints the ratios.
func peers(folder string) error {
	ours, err := measure(folder, "native", "go", "crash")
	if err != nil {
		return err
	}
	rows := []row{
		{what: "ours, Go handler, log kept", value: ours["run/go"], unit: "messages/s"},
		{what: "  with crashes", value: ours["run/crash"], unit: "messages/s"},
	}
	var missing []peer
	for _, p := range allPeers {
		if !p.needs() {
			missing = append(missing, p)
			continue
		}
		theirs, err := p.measure()
		if err != nil {
			return err
		}
		rows = append(rows, p.rows(ours, theirs)...)
	}
	printRows("The same model elsewhere: M/M/8 at 80% load, natively", rows)
	for _, p := range missing {
		fmt.Printf("%s is not installed and was not measured: %s\n", p.name, p.install)
	}
	return nil
}

func (p peer) measure() (figures, error) {
	command := exec.Command(p.command[0], p.command[1:]...)
	command.Dir = peersFolder
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		return nil, fmt.Errorf("measuring %s: %w", p.name, err)
	}
	return parse(out)
}

func (p peer) rows(ours, theirs figures) []row {
	plain, crash := theirs[p.name], theirs[p.name+"/crash"]
	return []row{
		{what: p.name, value: plain, unit: "messages/s"},
		{what: "  ours to it", value: ours["run/go"] / plain, unit: "times", must: p.must, aim: p.aim, more: true},
		{what: "  with crashes", value: crash, unit: "messages/s"},
		{what: "  ours to it", value: ours["run/crash"] / crash, unit: "times", must: p.must, aim: p.aim, more: true},
	}
}
