package change

import (
	"errors"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/crioconf"
	"github.com/crioctl/crioctl-net/crioconf/diag"
	"github.com/crioctl/crioctl-net/crioconf/dropin"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
)

// KeyOptions are the flags of the commands that change one key.
type KeyOptions struct {
	Options
	In string
}

// AddFlags adds the flags to a command.
func (o *KeyOptions) AddFlags(cmd *cobra.Command) {
	o.Options.AddFlags(cmd)
	cmd.Flags().StringVar(&o.In, "in", "", "make the change in this `FILE` of the drop-in directory, or in the main file")
}

// Phrases are the sentences about a change of one key.
type Phrases struct {
	Done      func(crioconf.Value) string // "CRI-O's hostport mapping is disabled"
	WouldDo   func(crioconf.Value) string
	Unchanged func(crioconf.Value) string
	Notes     []string
}

// ForKey returns the proposal of a change of one key. In is the value of --in.
func ForKey(req crioconf.Request, in string, say Phrases) func(*Job, *crioconf.Config, diag.List, *dropin.Store) (*Proposal, error) {
	return func(j *Job, c *crioconf.Config, findings diag.List, _ *dropin.Store) (*Proposal, error) {
		req := req
		req.In = j.Node.InFile(in)
		req.Owner = func(name string, src []byte) *crioconf.Owner { return j.owner(req, name, src) }
		planned, err := c.Plan(req)
		if err != nil {
			return nil, j.planError(c, findings, req.Key, err)
		}
		return &Proposal{
			Files:     planned.Files,
			Before:    c,
			After:     planned.Config,
			Changes:   planned.Changes,
			Key:       req.Key,
			Verify:    []keypath.Path{req.Key},
			Done:      say.Done(planned.After),
			WouldDo:   say.WouldDo(planned.After),
			Unchanged: say.Unchanged(planned.After),
			Notes:     say.Notes,
		}, nil
	}
}

// planError gives the error of a plan its exit code.
func (j *Job) planError(c *crioconf.Config, findings diag.List, key keypath.Path, err error) error {
	var refusal *crioconf.Refusal
	if !errors.As(err, &refusal) {
		// A file that is not TOML cannot be edited either.
		return errors.Join(j.refuse(c, c, findings, key), exit.With(exit.Impossible, err))
	}
	code := exit.Refused
	if errors.Is(err, crioconf.ErrFileUnread) {
		code = exit.Usage
	}
	return &exit.Error{Code: code, Err: refusal, Hint: refusal.Hint}
}
