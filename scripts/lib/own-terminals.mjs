import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * How an ordinary account must start sshd so that it can open terminals. sshd hands each terminal to the group `tty`, which only root may
 * do; usually the system's terminals belong to that group already (devpts mounted with its gid) and nothing is left to do. Where they
 * don't, as in some containers, sshd gives up. There it is started in a user namespace of its own in which no such group exists, and then
 * keeps the terminal in the account's own group. The process id stays the one that is started.
 * @param {string} command
 * @param {string[]} args
 * @param {string} dir A folder for a copy of the list of groups.
 * @returns {{command: string, args: string[]}}
 */
export function withOwnTerminals(command, args, dir) {
  const tty = process.getuid() === 0 ? undefined : groupOf('tty')
  if (tty === undefined || terminalsBelongTo(tty)) return { command, args }
  const groups = join(dir, 'groups')
  writeFileSync(groups, readFileSync('/etc/group', 'utf8').replace(/^tty:.*\n/m, ''))
  const inside = [
    'mount --bind "$0" /etc/group',
    `exec unshare --user --map-user=${process.getuid()} --map-group=${process.getgid()} -- "$@"`,
  ].join(' && ')
  return {
    command: 'unshare',
    args: ['--user', '--map-root-user', '--mount', '--', 'sh', '-c', inside, groups, command, ...args],
  }
}

function groupOf(name) {
  const line = readFileSync('/etc/group', 'utf8')
    .split('\n')
    .find((entry) => entry.startsWith(`${name}:`))
  return line?.split(':')[2]
}

function terminalsBelongTo(gid) {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  return mounts.some((line) => {
    const [, path, type, options = ''] = line.split(' ')
    return path === '/dev/pts' && type === 'devpts' && options.split(',').includes(`gid=${gid}`)
  })
}
