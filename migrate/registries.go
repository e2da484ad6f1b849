package migrate

// RegistriesName is the drop-in of registries.conf that takes over registries, a
// name in the file system.
const RegistriesName = "etc/containers/registries.conf.d/60-crioctl-net.conf"
