package apply

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/change"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/crioconf/dropin"
)

// recordName is where it is kept which drop-ins apply has installed. It changes
// in the same transaction as they do, so a rollback takes it back too.
const recordName = "var/lib/crioctl-net/applied.json"

// A record lists the installed drop-ins with what stood in them.
type record struct {
	Files map[string]string `json:"files"` // name in the root to digest
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// readRecord returns the bytes of the record, nil when there is none, and what
// they say.
func readRecord(store *dropin.Store) ([]byte, record, error) {
	r := record{Files: map[string]string{}}
	data, err := change.Current(store.FS(), recordName)
	if err != nil {
		return nil, r, exit.With(exit.Impossible, err)
	}
	if data == nil {
		return nil, r, nil
	}
	if err := json.Unmarshal(data, &r); err != nil || r.Files == nil {
		return nil, r, exit.With(exit.Impossible, fmt.Errorf("%s is damaged: %w", store.FS().Path(recordName), err))
	}
	return data, r, nil
}

func (r record) clone() record { return record{Files: maps.Clone(r.Files)} }

func (r record) names() []string { return slices.Sorted(maps.Keys(r.Files)) }

// propose adds the record to the files that change.
func (r record) propose(p *change.Proposal, before []byte) error {
	after, err := json.MarshalIndent(r, "", "  ")
	if err != nil {
		return err
	}
	after = append(after, '\n')
	if string(after) != string(before) {
		p.Records = append(p.Records, dropin.Change{Path: recordName, Before: before, After: after, Mode: 0o600})
	}
	return nil
}
