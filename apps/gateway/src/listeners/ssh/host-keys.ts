import { chmod, link, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { formatOpenSshKey, generateKey, parsePrivateKey } from '@sallyport/ssh'

/**
 * The host keys this gateway offers the server for all gateways, Ed25519 and RSA, as text: from `ssh_host_ed25519_key` and `ssh_host_rsa_key` in `folder`; created there
 * (mode 0600) when they are missing.
 */
export async function loadHostKeys(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return await Promise.all([
    loadKey(join(folder, 'ssh_host_ed25519_key'), async () =>
      formatOpenSshKey(await generateKey('ssh-ed25519')),
    ),
    loadKey(join(folder, 'ssh_host_rsa_key'), async () => formatOpenSshKey(await generateKey('ssh-rsa'))),
  ])
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
  try {
    parsePrivateKey(text)
  } catch (error) {
    throw new Error(`The host key ${file} can not be read`, { cause: error })
  }
  await chmod(file, 0o600)
  return text
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
