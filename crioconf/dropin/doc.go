// Package dropin turns planned changes into files, all or none, and back.
package dropin
