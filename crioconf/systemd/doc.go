// Package systemd restarts the unit of CRI-O over D-Bus, reads its state, and
// sets timers.
//
// It promises that an answer is the truth as systemd tells it: Restart returns
// nil only when the job has ended well and the unit is active after it, and
// every other ending is an *Error that names its kind, carries the properties of the
// unit and says what to do. No call waits longer than its context, also when
// the bus or systemd itself dies meanwhile.
//
// That the unit is active right after the job does not mean that it stays so: a
// crash a moment later, and systemd's attempts to start it again, are for the
// caller to see. Compare InvocationID and NRestarts of two states.
//
//	s, err := systemd.Open(ctx, systemd.Options{})
//	if err != nil { … }
//	defer s.Close()
//	err = s.Restart(ctx)
//	if errors.Is(err, systemd.ErrStartLimit) { … }
//
// StartTimer lets systemd run a program later, whatever becomes of this one.
//
// The package reads no environment and starts no program. It needs no dbus
// daemon when the caller is root: systemd's own socket is used then.
package systemd
