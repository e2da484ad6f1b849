package migrate

func (w *work) reduce() error { return nil }
