package render

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/cli/set"
	"github.com/crioctl/crioctl-net/cmd/crioctl-net/internal/session"
)

// completeInput offers "hostport disable", and the keys with the sign that a value
// follows.
func completeInput(s *session.Session) cobra.CompletionFunc {
	keys := set.CompleteKeys(s)
	return func(cmd *cobra.Command, args []string, word string) ([]cobra.Completion, cobra.ShellCompDirective) {
		if slices.Equal(args, []string{"hostport"}) {
			return []cobra.Completion{"disable"}, cobra.ShellCompDirectiveNoFileComp
		}
		if len(args) > 0 && args[0] == "hostport" {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		names, _ := keys(cmd, nil, word)
		var list []cobra.Completion
		if len(args) == 0 {
			list = append(list, "hostport")
		}
		for _, n := range names {
			list = append(list, assign(n))
		}
		return list, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	}
}

// assign puts the sign between the key and its description.
func assign(c cobra.Completion) cobra.Completion {
	key, text, described := strings.Cut(c, "\t")
	if !described {
		return key + "="
	}
	return cobra.CompletionWithDesc(key+"=", text)
}
