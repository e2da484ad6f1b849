// Package hold is the command "crioctl-net hold", the process that keeps a pod
// alive whose init container has done the work.
package hold

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
)

// NewCmd returns the command. It is hidden: "render daemonset" writes it into a
// pod, and nobody types it.
func NewCmd(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use:    "hold",
		Short:  "Do nothing until a signal comes",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.Check(false); err != nil {
				return err
			}
			hold(cmd.Context())
			return nil
		},
	}
}

// hold waits for the end of the context. The first process of a container
// inherits what others leave behind, such as a probe that was cut short, and has
// to bury it.
func hold(ctx context.Context) {
	children := make(chan os.Signal, 1)
	signal.Notify(children, syscall.SIGCHLD)
	defer signal.Stop(children)
	bury() // who died before anybody listened
	for {
		select {
		case <-ctx.Done():
			return
		case <-children:
			bury()
		}
	}
}

func bury() {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
		if err == syscall.EINTR {
			continue
		}
		if pid <= 0 {
			return
		}
	}
}
