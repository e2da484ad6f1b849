package crio

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

// An Examination says on which ways a binary takes a key that is true or false.
type Examination struct {
	File     bool // from a drop-in
	Flag     bool // from the flag
	Variable bool // from the variable
	Template bool // it prints the key where it would be read from, not below another header
}

// Reads reports whether the binary takes the key on each way. Where it prints
// the key is no part of that: 1.28 and later print some after the runtimes, so
// below another header where the runtimes are not the built-in ones.
func (e Examination) Reads() bool { return e.File && e.Flag && e.Variable }

// Examine sets a boolean key to true in a drop-in, by its flag and by its
// variable, each alone, and looks at the configuration that the binary then
// prints. That is more than Reads asks: a build that only has the flag in its
// help text, or the key in its template, is found out. The names of flag and
// variable are those of the newest release. Nothing of the node takes part.
//
// An error says that the binary could not be asked. That it knows no such flag
// is none.
func (b Binary) Examine(ctx context.Context, k *schema.Key) (Examination, error) {
	var e Examination
	newest := schema.Newest()
	if k.Kind != schema.Bool || k.HasNames() || len(k.Path) < 2 {
		return e, fmt.Errorf("examine %s: it is not a key that is true or false", k)
	}
	dir, err := os.MkdirTemp("", "crioctl-net-*")
	if err != nil {
		return e, err
	}
	defer os.RemoveAll(dir)
	table := k.Path[:len(k.Path)-1]
	text := fmt.Sprintf("[%s]\n%s = true\n", table, k.Path.Leaf())
	if err := os.WriteFile(filepath.Join(dir, "10-examine.conf"), []byte(text), 0o600); err != nil {
		return e, err
	}
	out, err := b.run(ctx, "--config", "", "--config-dir", dir, "config")
	if err != nil {
		return e, fmt.Errorf("ask %s for its configuration: %w", b.Path, err)
	}
	e.File = printed(out, nil, k.PrintedName())
	e.Template = printed(out, table, k.PrintedName())

	plain := []string{"--config", "", "--config-dir", ""}
	if flag := k.Flag(newest); flag != "" {
		if e.Flag, err = b.takes(ctx, k, nil, append(plain, flag, "config")...); err != nil {
			return e, err
		}
	}
	for _, v := range k.EnvIn(newest) {
		took, err := b.takes(ctx, k, []string{v + "=true"}, append(plain, "config")...)
		if err != nil {
			return e, err
		}
		e.Variable = e.Variable || took
	}
	return e, nil
}

// takes reports whether the binary prints the key as true. That it ends with an
// error, as for an unknown flag, is a no.
func (b Binary) takes(ctx context.Context, k *schema.Key, env []string, args ...string) (bool, error) {
	out, err := b.runWith(ctx, env, args...)
	var status *exec.ExitError
	if errors.As(err, &status) && status.Exited() && ctx.Err() == nil {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("ask %s for its configuration: %w", b.Path, err)
	}
	return printed(out, nil, k.PrintedName()), nil
}

var header = regexp.MustCompile(`(?m)^[ \t]*\[([^\[\]]+)\][ \t]*$`)

// printed reports whether the text sets the key to true, below the header of the
// table unless that is nil. What is commented out is the default and sets nothing.
func printed(text string, table keypath.Path, key string) bool {
	at := regexp.MustCompile(`(?m)^[ \t]*` + regexp.QuoteMeta(key) + `[ \t]*=[ \t]*true[ \t]*$`).FindStringIndex(text)
	if at == nil || table == nil {
		return at != nil
	}
	above := header.FindAllStringSubmatch(text[:at[0]], -1)
	return len(above) > 0 && above[len(above)-1][1] == table.String()
}
