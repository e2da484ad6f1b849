package diag

func versionDocs() []Doc { return nil }
