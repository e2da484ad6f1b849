package diag

func wholeDocs() []Doc { return nil }
