package change

import (
	"context"
	"errors"
	"fmt"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/exit"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
	"github.com/crioctl/crioctl-net/crioconf/dropin"
)

// Lock takes the lock of the node. Another run that holds it has the time of
// --timeout to end.
func Lock(ctx context.Context, s *session.Session, store *dropin.Store) (unlock func() error, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, s.Timeout, fmt.Errorf("gave up after %s", s.Timeout))
	defer cancel()
	unlock, err = store.Lock(ctx)
	switch {
	case errors.Is(err, dropin.ErrLocked):
		return nil, &exit.Error{Code: exit.Impossible, Err: err, Hint: "Wait for the other run, or give it more time with --timeout."}
	case err != nil:
		return nil, exit.With(exit.Impossible, err)
	}
	return unlock, nil
}
