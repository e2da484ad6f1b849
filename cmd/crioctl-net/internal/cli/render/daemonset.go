package render

type daemonSetOptions struct{}
