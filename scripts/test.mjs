/** `npm test`: installs what the tests need, then checks types, lint and format, then runs the tests, fast ones first. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { buildConsole } from './lib/console.mjs'
import { installPackages, run, ScriptError } from './lib/workspace.mjs'

/** Programs the tests drive, with the Debian packages that bring them. */
const programs = [
  { name: 'sshd', package: 'openssh-server', paths: ['/usr/sbin/sshd'] },
  { name: 'ssh', package: 'openssh-client', paths: ['/usr/bin/ssh'] },
  { name: 'openssl', package: 'openssl', paths: ['/usr/bin/openssl'] },
  { name: 'puttygen', package: 'putty-tools', paths: ['/usr/bin/puttygen'] },
  { name: 'plink', package: 'putty-tools', paths: ['/usr/bin/plink'] },
  { name: 'dropbear', package: 'dropbear-bin', paths: ['/usr/sbin/dropbear'] },
  {
    name: 'libssh',
    package: 'libssh-4',
    paths: ['/usr/lib/x86_64-linux-gnu/libssh.so.4', '/usr/lib/aarch64-linux-gnu/libssh.so.4'],
  },
  {
    name: 'paramiko',
    package: 'python3-paramiko',
    paths: ['/usr/lib/python3/dist-packages/paramiko/__init__.py'],
  },
  {
    name: 'asyncssh',
    package: 'python3-asyncssh',
    paths: ['/usr/lib/python3/dist-packages/asyncssh/__init__.py'],
  },
  { name: 'ssh-audit', package: 'ssh-audit', paths: ['/usr/bin/ssh-audit'] },
  { name: 'slapd', package: 'slapd', paths: ['/usr/sbin/slapd'] },
  { name: 'ldapadd', package: 'ldap-utils', paths: ['/usr/bin/ldapadd'] },
  { name: 'mariadbd', package: 'mariadb-server-core', paths: ['/usr/sbin/mariadbd'] },
  { name: 'redis', package: 'redis-tools', paths: ['/usr/bin/redis-check-rdb'] },
  { name: 'vim', package: 'vim', paths: ['/usr/bin/vim'] },
  { name: 'top', package: 'procps', paths: ['/usr/bin/top', '/bin/top'] },
  {
    name: 'openpyxl',
    package: 'python3-openpyxl',
    paths: ['/usr/lib/python3/dist-packages/openpyxl/__init__.py'],
  },
  {
    name: 'chromium',
    package: 'chromium-headless-shell',
    paths: ['/usr/bin/chromium-headless-shell'],
  },
]

const checks = [
  ['npm', ['run', '--silent', 'types']],
  ['npm', ['run', '--silent', 'lint']],
  ['npm', ['run', '--silent', 'format:check']],
]

async function main() {
  await installPackages()
  await installPrograms()
  for (const [command, args] of checks) {
    const code = await run(command, args)
    if (code !== 0) return code
  }
  await buildConsole()
  return await run('vitest', ['run', ...process.argv.slice(2)])
}

async function installPrograms() {
  const missing = missingPrograms()
  if (missing.length === 0) return
  const packages = missing.map((program) => program.package)
  const canInstall = process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0
  if (canInstall) {
    console.log(`Installing ${packages.join(', ')} …`)
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    await run('apt-get', ['update', '-qq'], { env })
    await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], { env })
  }
  const still = missingPrograms()
  if (still.length === 0) return
  const names = still.map((program) => program.name).join(', ')
  throw new ScriptError(
    `The tests need ${names}. Install ${still.map((program) => program.package).join(' ')} (as root: apt-get install), then run npm test again.`,
  )
}

function missingPrograms() {
  return programs.filter(({ paths }) => !paths.some((path) => existsSync(path)))
}

main().then(
  (code) => process.exit(code),
  (error) => {
    console.error(error instanceof ScriptError ? error.message : error)
    process.exit(1)
  },
)
