/** What Linux has and Node does not name. */

/** Holds a file without opening it: no device is started, no FIFO waits, and no leave to read is needed yet. */
export const O_PATH = 0o10000000

/** A path that is the very thing which a descriptor holds, whatever its name is now. */
export const pathOf = (descriptor: number): string => `/proc/self/fd/${descriptor}`

/**
 * File systems whose files are made up when they are read: they say no size, or a wrong one, and show the process or the
 * machine. Source: linux/magic.h.
 */
export const PSEUDO: ReadonlySet<number> = new Set([
  0x9fa0, // proc
  0x62656572, // sysfs
  0x64626720, // debugfs
  0x74726163, // tracefs
  0x73636673, // securityfs
  0x27e0eb, // cgroup
  0x63677270, // cgroup2
  0xcafe4a11, // bpf
  0x62656570, // configfs
  0x6e736673, // nsfs
  0x6165676c, // pstore
  0xde5e81e4, // efivarfs
  0xf97cff8c, // selinuxfs
  0x43415d53, // smackfs
  0x19800202 // mqueue
])
