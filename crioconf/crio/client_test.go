package crio_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/stretchr/testify/require"

	"github.com/crioctl/crioctl-net/crioconf/crio"
	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

func listen(t *testing.T) (net.Listener, crio.Client) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "crio.sock")
	l, err := net.Listen("unix", path)
	require.NoError(t, err)
	t.Cleanup(func() { l.Close() })
	return l, crio.Client{Socket: path}
}

// serve answers every request with h.
func serve(t *testing.T, h http.HandlerFunc) crio.Client {
	t.Helper()
	l, c := listen(t)
	s := &http.Server{Handler: h}
	go func() { _ = s.Serve(l) }()
	t.Cleanup(func() { s.Close() })
	return c
}

func text(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

func TestInfo(t *testing.T) {
	c := serve(t, func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet || r.URL.Path != "/info" {
			w.WriteHeader(http.StatusNotFound)
		}
		_, _ = io.WriteString(w, `{"storage_driver":"overlay","storage_root":"/var/lib/containers/storage","cgroup_driver":"systemd","default_id_mappings":{"uids":[]}}`)
	})
	got, err := c.Info(t.Context())
	require.NoError(t, err)
	want := crio.Info{StorageDriver: "overlay", StorageRoot: "/var/lib/containers/storage", CgroupDriver: "systemd"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("info (-want +got):\n%s", diff)
	}
}

func TestConfig(t *testing.T) {
	c := serve(t, text(http.StatusOK, `[crio]
  storage_option = ["a", "b"]
  [crio.api]
    listen = "/run/crio.sock"
    grpc_max_recv_msg_size = 1
  [crio.image]
    pull_progress_timeout = "1m30s"
  [crio.runtime]
    disable_hostport_mapping = true
    hooks_dir = "not a list"
    [crio.runtime.runtimes.crun]
      platform_runtime_paths = { "linux/arm64" = "/x" }
    [crio.runtime.workloads.w.resources]
      cpushares = 7
`))
	r, err := c.Config(t.Context())
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(string(r.Source), "[crio]"))
	for _, tt := range []struct {
		path string
		kind schema.Kind
		want any
	}{
		{"crio.storage_option", schema.Strings, []string{"a", "b"}},
		{"crio.api.listen", schema.String, "/run/crio.sock"},
		{"crio.api.grpc_max_recv_msg_size", schema.Int, int64(1)},
		{"crio.image.pull_progress_timeout", schema.Duration, 90 * time.Second},
		{"crio.runtime.disable_hostport_mapping", schema.Bool, true},
		{"crio.runtime.runtimes.crun.platform_runtime_paths", schema.StringMap, map[string]string{"linux/arm64": "/x"}},
		{"crio.runtime.workloads.w.resources.cpushares", schema.Uint, uint64(7)},
		{"crio.runtime.log_level", schema.String, nil},             // not served
		{"crio.runtime.hooks_dir", schema.Strings, nil},            // of another kind
		{"crio.api.listen.deeper", schema.String, nil},             // below a value
		{"crio.runtime.runtimes", schema.Entries, nil},             // not a value
		{"crio.storage_option", schema.Duration, nil},              // of another kind
		{"crio.runtime.disable_hostport_mapping", schema.Int, nil}, // of another kind
	} {
		got, ok := r.Lookup(keypath.MustParse(tt.path), tt.kind)
		require.Equal(t, tt.want != nil, ok, tt.path)
		if ok {
			require.Equal(t, tt.want, got, tt.path)
		}
	}
}

func TestClientFails(t *testing.T) {
	short := func() context.Context {
		ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
		t.Cleanup(cancel)
		return ctx
	}
	for _, tt := range []struct {
		name   string
		client func(t *testing.T) crio.Client
		kind   error
		want   string
	}{
		{"no socket", func(*testing.T) crio.Client { return crio.Client{Socket: "/nonexistent/crio.sock"} }, crio.ErrNoSocket,
			"GET /config on /nonexistent/crio.sock: CRI-O's socket does not exist"},
		{"nobody listens", func(t *testing.T) crio.Client {
			l, c := listen(t)
			l.(*net.UnixListener).SetUnlinkOnClose(false)
			require.NoError(t, l.Close())
			return c
		}, crio.ErrSocketDead, "nobody listens"},
		{"a plain file", func(t *testing.T) crio.Client {
			path := filepath.Join(t.TempDir(), "f")
			require.NoError(t, os.WriteFile(path, nil, 0o644))
			return crio.Client{Socket: path}
		}, crio.ErrSocketDead, "nobody listens"},
		{"no answer", func(t *testing.T) crio.Client {
			_, c := listen(t)
			return c
		}, crio.ErrNoAnswer, "does not answer in time"},
		{"half an answer", func(t *testing.T) crio.Client {
			return serve(t, func(w http.ResponseWriter, r *http.Request) {
				_, _ = io.WriteString(w, "[crio]\n")
				w.(http.Flusher).Flush()
				<-r.Context().Done()
			})
		}, crio.ErrNoAnswer, "does not answer in time"},
		{"not HTTP", func(t *testing.T) crio.Client {
			l, c := listen(t)
			go func() {
				for conn, err := l.Accept(); err == nil; conn, err = l.Accept() {
					_, _ = conn.Read(make([]byte, 1))
					_, _ = io.WriteString(conn, "SSH-2.0-x\r\n")
					conn.Close()
				}
			}()
			return c
		}, crio.ErrNotCRIO, "does not answer as CRI-O does"},
		{"an older CRI-O", func(t *testing.T) crio.Client { return serve(t, text(http.StatusNotFound, "404 page not found")) },
			crio.ErrNotCRIO, "404 Not Found"},
		{"not TOML", func(t *testing.T) crio.Client { return serve(t, text(http.StatusOK, "<html>")) }, crio.ErrNotCRIO, "toml"},
		{"another program's TOML", func(t *testing.T) crio.Client { return serve(t, text(http.StatusOK, "a = 1\n")) }, crio.ErrNotCRIO, "there is no table crio"},
		{"too much", func(t *testing.T) crio.Client {
			return serve(t, text(http.StatusOK, "#"+strings.Repeat("x", 17<<20)))
		}, crio.ErrNotCRIO, "more than"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx := t.Context()
			if tt.kind == crio.ErrNoAnswer {
				ctx = short()
			}
			_, err := tt.client(t).Config(ctx)
			require.ErrorIs(t, err, tt.kind)
			require.ErrorContains(t, err, tt.want)
		})
	}
	t.Run("info that is not JSON", func(t *testing.T) {
		_, err := serve(t, text(http.StatusOK, "ok")).Info(t.Context())
		require.ErrorIs(t, err, crio.ErrNotCRIO)
	})
	t.Run("info without a socket", func(t *testing.T) {
		_, err := crio.Client{Socket: "/nonexistent"}.Info(t.Context())
		require.ErrorIs(t, err, crio.ErrNoSocket)
	})
}
