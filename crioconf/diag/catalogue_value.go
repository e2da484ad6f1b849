package diag

func valueDocs() []Doc { return nil }
