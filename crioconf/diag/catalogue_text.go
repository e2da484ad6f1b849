package diag

func textDocs() []Doc { return nil }
