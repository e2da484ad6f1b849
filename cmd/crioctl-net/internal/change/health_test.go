package change

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPatient(t *testing.T) {
	wrong := errors.New("the daemon runs with another value")
	silent := func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
	for behaviour, tt := range map[string]struct {
		ask  func(ctx context.Context, n int) error
		want error
	}{
		"the answer becomes good": {func(_ context.Context, n int) error {
			if n < 3 {
				return wrong
			}
			return nil
		}, nil},
		"the answer stays wrong": {func(context.Context, int) error { return wrong }, wrong},
		"the last question is cut short": {func(ctx context.Context, n int) error {
			if n < 3 {
				return wrong
			}
			return silent(ctx)
		}, wrong},
		"there is no answer": {func(ctx context.Context, _ int) error { return silent(ctx) }, context.DeadlineExceeded},
	} {
		t.Run(behaviour, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
				defer cancel()
				n := 0
				err := patient(func(ctx context.Context) error { n++; return tt.ask(ctx, n) })(ctx)
				require.ErrorIs(t, err, tt.want)
			})
		})
	}
}
