// Renders a chart as Helm does: Go's templates with the functions of Sprig and Helm's own. Helm itself cannot be installed
// from the sources that CI has. Reads {"values", "release", "chart"} from the input; prints one object by the template's name.
package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"github.com/ghodss/yaml"
)

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func main() {
	input := map[string]interface{}{}
	check(json.NewDecoder(os.Stdin).Decode(&input))
	chart := template.New("chart").Option("missingkey=zero")
	functions := sprig.TxtFuncMap()
	delete(functions, "env")
	delete(functions, "expandenv")
	functions["include"] = func(name string, data interface{}) (string, error) {
		var text bytes.Buffer
		err := chart.ExecuteTemplate(&text, name, data)
		return text.String(), err
	}
	functions["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return value, fmt.Errorf("%s", message)
		}
		return value, nil
	}
	functions["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	chart.Funcs(functions)
	files, err := filepath.Glob(filepath.Join(os.Args[1], "templates", "*"))
	check(err)
	for _, file := range files {
		text, err := os.ReadFile(file)
		check(err)
		template.Must(chart.New(filepath.Base(file)).Parse(string(text)))
	}
	rendered := map[string]string{}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var text bytes.Buffer
		check(chart.ExecuteTemplate(&text, name, map[string]interface{}{
			"Values": input["values"], "Release": input["release"], "Chart": input["chart"],
		}))
		// As Helm does it: a key that is missing is empty, not a word.
		rendered[name] = strings.ReplaceAll(text.String(), "<no value>", "")
	}
	check(json.NewEncoder(os.Stdout).Encode(rendered))
}
