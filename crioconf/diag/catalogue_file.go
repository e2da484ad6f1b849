package diag

func fileDocs() []Doc { return nil }
