import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { lstat, mkdir, mkdtemp, readFile, readdir, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ServerSession } from '../channels/server-session.ts'
import type { SshError } from '../wire/errors.ts'
import { Folder } from '../testing/folder.ts'
import { sshOptions } from '../testing/sshd.ts'
import { TestServer } from '../testing/test-server.ts'
import { extensionNames, type SftpExtension } from './extensions.ts'
import { serveSftp } from './server.ts'

const all = Object.keys(extensionNames) as SftpExtension[]

let root: string
let server: TestServer
/** How conversations ended. */
const ends: (SshError | undefined)[] = []
const folders: Folder[] = []

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'ssh-sftp-'))
  await mkdir(join(root, 'remote'))
  await mkdir(join(root, 'local'))
  server = await TestServer.start({
    onChannel: (opening) => {
      if (opening.type !== 'session') return
      const session = opening.accept()
      session.handlers = {
        env: () => false,
        subsystem: (name) => {
          const files = new Folder(join(root, 'remote'))
          folders.push(files)
          const extensions = name === 'plain' ? [] : all
          return () => {
            const serving = serveSftp(session, { files, extensions, maxHandles: 64 })
            void ended(serving, session)
          }
        },
      }
    },
  })
})
afterAll(async () => {
  await server.stop()
  await rm(root, { recursive: true, force: true })
})

async function ended(serving: Promise<SshError | undefined>, session: ServerSession): Promise<void> {
  const error = await serving
  ends.push(error)
  session.exit({ kind: 'status', code: error ? 1 : 0 }, 10_000)
}

const local = (name: string) => join(root, 'local', name)
const remote = (name: string) => join(root, 'remote', name)
const digest = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const digestOf = async (path: string) => digest(await readFile(path))

interface Ran {
  code: number
  stdout: string
  stderr: string
}

/** OpenSSH's `sftp` with these commands, which end at the first that fails but for those with a dash before. */
async function sftp(commands: string[], more: string[] = []): Promise<Ran> {
  const batch = local(`batch-${Math.random().toString(36).slice(2)}`)
  await writeFile(batch, `${commands.join('\n')}\n`, 'latin1')
  const args = [...sshOptions, `-oPort=${server.port}`, `-b${batch}`, ...more, 'ann@127.0.0.1']
  const env = { ...process.env, LC_ALL: 'C.UTF-8' }
  return await new Promise((resolve) => {
    execFile('sftp', args, { cwd: join(root, 'local'), env, maxBuffer: 1e8 }, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, stdout, stderr }),
    )
  })
}

test('100 MB are put and got unharmed', async () => {
  const data = randomBytes(100_000_000)
  await writeFile(local('bulk'), data)
  const begun = performance.now()
  expect(await sftp(['put bulk'])).toMatchObject({ code: 0 })
  const middle = performance.now()
  expect(await digestOf(remote('bulk'))).toBe(digest(data))
  const again = performance.now()
  expect(await sftp(['get bulk back'])).toMatchObject({ code: 0 })
  const end = performance.now()
  if (process.env['SFTP_SPEED']) process.stderr.write(`put ${middle - begun} get ${end - again}\n`)
  expect(await digestOf(local('back'))).toBe(digest(data))
})

test('transfers go on where they were broken off', async () => {
  const data = randomBytes(3_000_000)
  await writeFile(local('part'), data)
  await writeFile(remote('part'), data.subarray(0, 1_000_001))
  expect(await sftp(['reput part'])).toMatchObject({ code: 0 })
  expect(await digestOf(remote('part'))).toBe(digest(data))
  await writeFile(local('part'), data.subarray(0, 999_999))
  expect(await sftp(['reget part'])).toMatchObject({ code: 0 })
  expect(await digestOf(local('part'))).toBe(digest(data))
})

test('folders are put and got with all in them, and keep their times and rights', async () => {
  await mkdir(local('tree/inner'), { recursive: true })
  await writeFile(local('tree/one'), 'one', { mode: 0o640 })
  await writeFile(local('tree/inner/two'), 'two')
  expect(await sftp(['put -Rp tree', 'get -Rp tree tree-back'])).toMatchObject({ code: 0 })
  expect(await readFile(local('tree-back/inner/two'), 'utf8')).toBe('two')
  const [was, is] = [await stat(local('tree/one')), await stat(remote('tree/one'))]
  expect([is.mode, Math.floor(is.mtimeMs / 1000)]).toEqual([was.mode, Math.floor(was.mtimeMs / 1000)])
})

test('files are listed, renamed, linked, copied, changed and removed', async () => {
  await mkdir(remote('work'))
  await writeFile(remote('work/file'), 'text')
  const { code, stdout } = await sftp([
    'cd work',
    'pwd',
    'ls -la',
    'rename file moved',
    'ln moved hard',
    'ln -s moved soft',
    'copy moved copied',
    'chmod 600 moved',
    'mkdir inner',
    'df',
    'df -hi',
    'ls -1',
    'rm hard',
    'rmdir inner',
  ])
  expect(code).toBe(0)
  expect(stdout).toContain(`Remote working directory: ${remote('work')}`)
  expect(stdout).toMatch(/-rw-r--r-- +\S+ root +root +4 .* file/)
  expect(stdout).toMatch(/drwxr-xr-x .* \.\./)
  expect(stdout).toMatch(/copied\nhard\ninner\nmoved\nsoft/)
  expect(stdout).toMatch(/\d+ +\d+ +\d+ +\d+ +\d+%/)
  expect((await readdir(remote('work'))).sort()).toEqual(['copied', 'moved', 'soft'])
  expect(await readFile(remote('work/copied'), 'utf8')).toBe('text')
  expect(await readlink(remote('work/soft'))).toBe('moved')
  expect((await lstat(remote('work/moved'))).mode & 0o7777).toBe(0o600)
})

test('what cannot be done is said as the system says it', async () => {
  const { code, stderr } = await sftp([
    '-get nothing',
    '-rm nothing',
    '-rmdir work',
    '-mkdir work',
    '-cd nothing',
  ])
  expect(code).toBe(0)
  expect(stderr).toMatch(/File ".*nothing" not found/)
  expect(stderr).toMatch(/remote delete.*No such file/)
  expect(stderr).toMatch(/remote rmdir.*Failure/)
  expect(stderr).toMatch(/remote mkdir.*Failure/)
})

test('without extensions there is what the draft has, and no more', async () => {
  await writeFile(remote('plain'), 'plain')
  const { code, stdout, stderr } = await sftp(
    ['get plain', 'rename plain simple', 'ls -l simple', '-df', '-ln simple other', '-copy simple other'],
    ['-splain'],
  )
  expect(code).toBe(0)
  expect(stdout).toMatch(/-rw-r--r-- +\S+ 0 +0 +5 .* simple/)
  expect(stderr).toMatch(/statvfs@openssh.com/)
  expect(stderr).toMatch(/hardlink@openssh.com/)
  expect(stderr).toMatch(/copy-data/)
})

test('a directory of 10,000 files is listed whole', async () => {
  await mkdir(remote('large'))
  for (let index = 0; index < 10_000; index++) await writeFile(remote(`large/${index}`), '')
  const { code, stdout } = await sftp(['ls -1 large', 'ls -la large'])
  expect(code).toBe(0)
  expect(stdout.match(/^large\/\d+/gm)).toHaveLength(10_000)
  expect(stdout.match(/^-rw.* (large\/)?\d+$/gm)).toHaveLength(10_000)
})

test('names that are no UTF-8 keep their bytes', async () => {
  await writeFile(local('text'), 'text')
  expect(await sftp(['put text w\u00fc\u00ff', 'get w\u00fc\u00ff back-\u00ff'])).toMatchObject({ code: 0 })
  const [names, back] = [join(root, 'remote'), join(root, 'local')].map((path) =>
    readdir(path, { encoding: 'latin1' }),
  )
  expect(await names).toContain('w\u00fc\u00ff')
  expect(await back).toContain('back-\u00ff')
})

test('transfers in the smallest pieces and with one request at a time work too', async () => {
  const data = randomBytes(20_000)
  await writeFile(local('tiny'), data)
  expect(await sftp(['put tiny', 'get tiny tiny-back'], ['-B100', '-R1'])).toMatchObject({ code: 0 })
  expect(await digestOf(local('tiny-back'))).toBe(digest(data))
  expect(await sftp(['get tiny tiny-back'], ['-B37', '-R1000'])).toMatchObject({ code: 0 })
  expect(await digestOf(local('tiny-back'))).toBe(digest(data))
})

test('every conversation ended well, and every file is closed', async () => {
  await expect.poll(() => ends.length).toBe(folders.length)
  expect(ends.every((end) => end === undefined)).toBe(true)
  expect(folders.map(({ openCount }) => openCount)).toEqual(folders.map(() => 0))
})
