// Package render writes the files of a plan as provisioning tools take them:
// Ignition, Butane, a MachineConfig of OpenShift, cloud-init, or a DaemonSet that
// makes the change on every node.
//
// A File is a whole file that the tool writes, owned by root; the plan has made
// its bytes and somebody has judged them. The same files and options give the
// same bytes, whatever their order. The package knows no TOML and no CRI-O but
// for the release that decides which spec version its surroundings read.
//
//	files, err := render.Files(plan)
//	config, err := render.Ignition(files, render.DefaultIgnitionSpec, render.Plain)
package render
