package crio

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"

	"github.com/pelletier/go-toml/v2"

	"github.com/crioctl/crioctl-net/crioconf/keypath"
	"github.com/crioctl/crioctl-net/schema"
)

// The kinds of failure of a Client, for errors.Is.
var (
	ErrNoSocket     = errors.New("CRI-O's socket does not exist: it is not running, or listens elsewhere")
	ErrSocketDead   = errors.New("nobody listens on CRI-O's socket: it is not running")
	ErrSocketDenied = errors.New("no permission to use CRI-O's socket")
	ErrNoAnswer     = errors.New("CRI-O does not answer in time")
	ErrNotCRIO      = errors.New("what listens there does not answer as CRI-O does")
)

// answerLimit is how much of an answer is read.
const answerLimit = 16 << 20

// A Client asks the running daemon over its socket, which serves HTTP beside
// the CRI. cri-o server/inspect.go, GetExtendInterfaceMux, since 1.15.
type Client struct {
	Socket string // path of crio.api.listen
}

// Info is the answer to /info.
type Info struct {
	StorageDriver string `json:"storage_driver"`
	StorageRoot   string `json:"storage_root"`
	StorageImage  string `json:"storage_image"` // since 1.29
	CgroupDriver  string `json:"cgroup_driver"`
}

// Info asks whether the daemon serves requests.
func (c Client) Info(ctx context.Context) (Info, error) {
	var info Info
	data, err := c.get(ctx, "/info")
	if err != nil {
		return info, err
	}
	if err := json.Unmarshal(data, &info); err != nil {
		return info, fmt.Errorf("GET /info on %s: %w: %w", c.Socket, ErrNotCRIO, err)
	}
	return info, nil
}

// Config returns the configuration that the daemon runs with.
func (c Client) Config(ctx context.Context) (Running, error) {
	data, err := c.get(ctx, "/config")
	if err != nil {
		return Running{}, err
	}
	r, err := ParseRunning(data)
	if err != nil {
		return r, fmt.Errorf("GET /config on %s: %w", c.Socket, err)
	}
	return r, nil
}

// ParseRunning reads the answer of a daemon to /config. What is none is
// ErrNotCRIO.
func ParseRunning(data []byte) (Running, error) {
	r := Running{Source: data}
	if err := toml.Unmarshal(data, &r.tree); err != nil {
		return r, fmt.Errorf("%w: %w", ErrNotCRIO, err)
	}
	if _, ok := r.tree["crio"].(map[string]any); !ok {
		return r, fmt.Errorf("%w: there is no table crio", ErrNotCRIO)
	}
	return r, nil
}

// Running is the configuration of the running daemon: what it was started with,
// flags and variables included, and what a reload has changed since.
type Running struct {
	Source []byte // TOML, as served

	tree map[string]any
}

// Lookup returns the value at p, of the Go type that k's kind has in release v,
// and whether the daemon serves one. It leaves out lists that are nil, so that
// a known list without a value is served as absent.
func (r Running) Lookup(p keypath.Path, kind schema.Kind) (any, bool) {
	var node any = r.tree
	for _, part := range p {
		t, ok := node.(map[string]any)
		if !ok {
			return nil, false
		}
		if node, ok = t[part]; !ok {
			return nil, false
		}
	}
	return typed(node, kind)
}

// typed returns a decoded TOML value as the kind has it.
func typed(v any, kind schema.Kind) (any, bool) {
	switch kind {
	case schema.Duration:
		if s, ok := v.(string); ok {
			d, err := time.ParseDuration(s)
			return d, err == nil
		}
		n, ok := v.(int64)
		return time.Duration(n), ok
	case schema.Uint:
		n, ok := v.(int64)
		return uint64(n), ok && n >= 0
	case schema.Strings:
		list, ok := v.([]any)
		out := make([]string, 0, len(list))
		for _, e := range list {
			s, isString := e.(string)
			out, ok = append(out, s), ok && isString
		}
		return out, ok
	case schema.StringMap:
		t, ok := v.(map[string]any)
		out := make(map[string]string, len(t))
		for k, e := range t {
			s, isString := e.(string)
			out[k], ok = s, ok && isString
		}
		return out, ok
	case schema.Bool:
		b, ok := v.(bool)
		return b, ok
	case schema.Int:
		n, ok := v.(int64)
		return n, ok
	case schema.String:
		s, ok := v.(string)
		return s, ok
	}
	return nil, false
}

func (c Client) get(ctx context.Context, path string) ([]byte, error) {
	t := &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, "unix", c.Socket)
		},
	}
	data, err := fetch(ctx, &http.Client{Transport: t}, "http://crio"+path)
	if err != nil {
		return nil, fmt.Errorf("GET %s on %s: %w", path, c.Socket, explain(ctx, err))
	}
	return data, nil
}

func fetch(ctx context.Context, h *http.Client, url string) ([]byte, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := h.Do(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%w: %s", ErrNotCRIO, resp.Status)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, answerLimit+1))
	if err == nil && len(data) > answerLimit {
		err = fmt.Errorf("%w: more than %d bytes", ErrNotCRIO, answerLimit)
	}
	return data, err
}

// explain puts the kind of failure in front of an error of the HTTP client.
func explain(ctx context.Context, err error) error {
	kind := ErrNotCRIO
	switch {
	case errors.Is(err, ErrNotCRIO):
		return err
	case ctx.Err() != nil, errors.Is(err, os.ErrDeadlineExceeded):
		kind = ErrNoAnswer
	case errors.Is(err, fs.ErrNotExist):
		kind = ErrNoSocket
	case errors.Is(err, syscall.ECONNREFUSED):
		kind = ErrSocketDead
	case errors.Is(err, fs.ErrPermission):
		kind = ErrSocketDenied
	}
	return fmt.Errorf("%w: %w", kind, err)
}
