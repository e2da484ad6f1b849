package diag

func keyDocs() []Doc { return nil }
