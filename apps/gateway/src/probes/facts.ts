/** What a machine says of itself, asked over SSH with what any POSIX system has. */
import { type Facts, factsSchema } from '@sallyport/contract/gateway/probes'
import { printable } from '@sallyport/contract/messages/terminal-text'

/** One line for each thing that is known, `name=value`; what a system lacks it says nothing of. */
const script = `
export LC_ALL=C PATH="$PATH:/usr/sbin:/sbin"
say() { [ -n "$2" ] && printf '%s=%s\\n' "$1" "$2"; }
file() { [ -r "$1" ] && head -c 256 "$1" | head -n 1; }
dmi=/sys/class/dmi/id
say vendor "$(file $dmi/sys_vendor)"
say model "$(file $dmi/product_name)"
say sn "$(file $dmi/product_serial)"
say arch "$(uname -m)"
if [ -r /etc/os-release ]; then
  . /etc/os-release
  say distribution "$NAME"
  say distribution_version "$VERSION_ID"
else
  say distribution "$(uname -s)"
  say distribution_version "$(uname -r)"
fi
if [ -r /proc/cpuinfo ]; then
  awk -F ' *: *' '
    /^processor/ { threads++ }
    /^model name/ { model = $2 }
    /^physical id/ { sockets[$2] = 1 }
    /^cpu cores/ { cores = $2 }
    END {
      for (one in sockets) count++
      if (model != "") print "cpu_model=" model
      print "cpu_count=" (count ? count : 1)
      print "cpu_cores=" (cores ? cores : threads)
      print "cpu_vcpus=" threads
    }' /proc/cpuinfo
  awk '/^MemTotal:/ { printf "memory_kib=%d\\n", $2 }' /proc/meminfo
else
  say cpu_model "$(sysctl -n hw.model 2>/dev/null)"
  say cpu_vcpus "$(sysctl -n hw.ncpu 2>/dev/null)"
fi
for disk in /sys/block/*; do
  case "$disk" in */loop*|*/ram*|*/zram*|*/dm-*|*/md*|*/sr*|*/fd*) continue ;; esac
  [ -r "$disk/size" ] && printf 'disk_sectors=%s\\n' "$(file "$disk/size")"
done
`
// Login shells differ; this one is everywhere.
export const factsCommand = `exec /bin/sh -c '${script.replaceAll("'", `'\\''`)}' 2>/dev/null`

const linesMax = 200
const cpuModelChars = 48
const sectorBytes = 512
const gigabytes = (bytes: number) => String(Math.round((bytes / 1024 ** 3) * 100) / 100)

/** Only what was asked for, as long as its field and on one line; a hostile machine may print anything. */
export function parseFacts(text: string): Facts {
  const told = new Map<string, string>()
  let disk = 0
  for (const line of text.split('\n', linesMax)) {
    const [, name = '', value = ''] = /^([a-z_]{1,32})=(.{1,1000})$/u.exec(line.trimEnd()) ?? []
    if (name === 'disk_sectors') disk += numberOf(value) * sectorBytes
    else if (!told.has(name)) told.set(name, printable(value).trim())
  }
  const memory = numberOf(told.get('memory_kib') ?? '') * 1024
  const found: Record<string, string | undefined> = {
    vendor: told.get('vendor'),
    model: told.get('model'),
    sn: told.get('sn'),
    cpu_model: told.get('cpu_model')?.slice(0, cpuModelChars),
    cpu_count: counted(told.get('cpu_count')),
    cpu_cores: counted(told.get('cpu_cores')),
    cpu_vcpus: counted(told.get('cpu_vcpus')),
    memory: memory > 0 ? gigabytes(memory) : undefined,
    disk_total: disk > 0 ? gigabytes(disk) : undefined,
    distribution: told.get('distribution'),
    distribution_version: told.get('distribution_version'),
    arch: told.get('arch'),
  }
  const facts: Record<string, string> = {}
  for (const [name, value] of Object.entries(found)) {
    if (value === undefined || value === '') continue
    const one = factsSchema.safeParse({ [name]: value })
    if (one.success) facts[name] = value
  }
  return facts
}

/** Not above what any machine has. */
const numberOf = (text: string) => (/^\d{1,15}$/.test(text) ? Number(text) : 0)
const counted = (text: string | undefined) =>
  text !== undefined && /^\d{1,5}$/.test(text) ? text : undefined
