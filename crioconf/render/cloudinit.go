package render

import (
	"encoding/base64"
	"fmt"
)

// CloudInitOptions say what cloud-init is to do.
type CloudInitOptions struct {
	// TryRestart is a systemd unit that is restarted at the end of the first
	// boot where it runs already, "" for none. cloud-init writes files before the
	// network is up and so before CRI-O starts; only an image that starts it
	// earlier needs this.
	TryRestart string
	Encoding   Encoding
}

// cloudConfig is the part of a cloud-config that writes files (cloud-init's
// modules cc_write_files and cc_runcmd).
type cloudConfig struct {
	WriteFiles []cloudFile `yaml:"write_files"`
	RunCmd     [][]string  `yaml:"runcmd,omitempty"`
}

type cloudFile struct {
	Path        string `yaml:"path"`
	Owner       string `yaml:"owner"`
	Permissions string `yaml:"permissions"` // text: a number would be read as decimal
	Encoding    string `yaml:"encoding,omitempty"`
	Content     string `yaml:"content"`
}

// CloudInit returns user data that writes the files.
func CloudInit(files []File, o CloudInitOptions) ([]byte, error) {
	files, err := checked(files)
	if err != nil {
		return nil, err
	}
	var c cloudConfig
	for _, f := range files {
		out := cloudFile{
			Path:        f.Path,
			Owner:       "root:root",
			Permissions: fmt.Sprintf("%04o", uint32(f.Mode.Perm())),
			Content:     string(f.Data),
		}
		if o.Encoding == Base64 || !readsBack(f.Data) {
			out.Encoding, out.Content = "b64", base64.StdEncoding.EncodeToString(f.Data)
		}
		c.WriteFiles = append(c.WriteFiles, out)
	}
	if o.TryRestart != "" {
		c.RunCmd = [][]string{{"systemctl", "try-restart", o.TryRestart}}
	}
	doc, err := document(c)
	if err != nil {
		return nil, err
	}
	// cloud-init tells what the user data is by its first line.
	return append([]byte("#cloud-config\n"), doc...), nil
}
