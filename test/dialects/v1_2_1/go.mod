module github.com/crioctl/crioctl-net/test/dialects/v1_2_1

go 1.26.0

require (
	github.com/BurntSushi/toml v1.6.0
	github.com/crioctl/crioctl-net v0.0.0
)

require github.com/pelletier/go-toml/v2 v2.4.3 // indirect

// The main module names a newer release for its own tests.
replace github.com/BurntSushi/toml => github.com/BurntSushi/toml v1.2.1

replace github.com/crioctl/crioctl-net => ../../..
