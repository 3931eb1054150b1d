import { generateKeyPair } from 'node:crypto'
import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { utils } from '../../streams/ssh2.ts'

const generate = promisify(generateKeyPair)

/**
 * The host keys this gateway offers the server for all gateways, Ed25519 and RSA, as text: from `ssh_host_ed25519_key` and `ssh_host_rsa_key` in `folder`; created there
 * (mode 0600) when they are missing.
 */
export async function loadHostKeys(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return await Promise.all([
    loadKey(join(folder, 'ssh_host_ed25519_key'), async () => newEd25519Key()),
    loadKey(join(folder, 'ssh_host_rsa_key'), async () => {
      const { privateKey } = await generate('rsa', { modulusLength: 3072 })
      return privateKey.export({ type: 'pkcs1', format: 'pem' })
    }),
  ])
}

/**
 * In OpenSSH's form. The library leaves out a zero at the beginning of the public part, and cannot read such a key (one in 256): then
 * another one is made.
 */
export function newEd25519Key(): string {
  for (;;) {
    const key = utils.generateKeyPairSync('ed25519').private
    if (!(utils.parseKey(key) instanceof Error)) return key
  }
}

async function loadKey(file: string, create: () => Promise<string>): Promise<string> {
  const known = await readKey(file)
  if (known !== undefined) return known
  // Linked into place when it is whole, so that two starting gateways end up with one key.
  const draft = `${file}.${process.pid}`
  await writeFile(draft, await create(), { mode: 0o600 })
  try {
    await link(draft, file)
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  } finally {
    await rm(draft)
  }
  const made = await readKey(file)
  if (made === undefined) throw new Error(`The host key ${file} went away while it was made`)
  return made
}

async function readKey(file: string): Promise<string | undefined> {
  let text: string
  try {
    text = await readFile(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
  const parsed = utils.parseKey(text)
  if (parsed instanceof Error) throw new Error(`The host key ${file} can not be read: ${parsed.message}`)
  await chmod(file, 0o600)
  return text
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
