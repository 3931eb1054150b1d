import { createHash } from 'node:crypto'
import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { TargetError } from './errors.ts'

/** Remembers the host key of each asset, in the form `ssh-ed25519 AAAA…`. */
export interface HostKeys {
  get(assetId: string): Promise<string | undefined>
  /** Keeps the first key seen; one that is already there stays. */
  remember(assetId: string, key: string): Promise<void>
}

/** Host keys in a file of lines `asset-id key-type base64`. Made once for each process: it is the only writer. */
export class FileHostKeys implements HostKeys {
  readonly #file: string
  #known: Promise<Map<string, string>> | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(file: string) {
    this.#file = file
  }

  async get(assetId: string): Promise<string | undefined> {
    return (await this.#load()).get(assetId)
  }

  async remember(assetId: string, key: string): Promise<void> {
    const known = await this.#load()
    if (known.has(assetId)) return
    known.set(assetId, key)
    const write = this.#writing.then(() => this.#append(`${assetId} ${key}\n`))
    this.#writing = write.catch(() => {
      known.delete(assetId)
    })
    await write
  }

  async #append(line: string): Promise<void> {
    await mkdir(dirname(this.#file), { recursive: true, mode: 0o700 })
    await appendFile(this.#file, line, { mode: 0o600 })
  }

  #load(): Promise<Map<string, string>> {
    this.#known ??= this.#read().catch((error: unknown) => {
      this.#known = undefined
      throw error
    })
    return this.#known
  }

  async #read(): Promise<Map<string, string>> {
    const known = new Map<string, string>()
    let text: string
    try {
      text = await readFile(this.#file, 'utf8')
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return known
      throw error
    }
    for (const line of text.split('\n')) {
      const [assetId, type, key] = line.split(' ')
      if (assetId && type && key && !known.has(assetId)) known.set(assetId, `${type} ${key}`)
    }
    return known
  }
}

/** A key in wire form as text: its type and base64. */
export function hostKeyText(key: Buffer): string {
  const length = key.length >= 4 ? key.readUInt32BE(0) : 0
  return `${key.toString('latin1', 4, 4 + Math.min(length, 64))} ${key.toString('base64')}`
}

/** `SHA256:…`, as OpenSSH shows it. */
export function fingerprint(key: string): string {
  const [, base64 = ''] = key.split(' ')
  const digest = createHash('sha256').update(Buffer.from(base64, 'base64')).digest('base64')
  return `SHA256:${digest.replace(/=+$/, '')}`
}

/** Takes the key at the first visit; throws `target_host_key_changed` when it differs from the remembered one. */
export async function checkHostKey(
  hostKeys: HostKeys,
  assetId: string,
  where: string,
  key: Buffer,
): Promise<void> {
  const shown = hostKeyText(key)
  let known = await hostKeys.get(assetId)
  if (known === undefined) {
    await hostKeys.remember(assetId, shown)
    // Somebody else may have been first.
    known = await hostKeys.get(assetId)
  }
  if (known === shown) return
  const params = { where, known: known ? fingerprint(known) : '', shown: fingerprint(shown) }
  throw new TargetError(
    'target_host_key_changed',
    `${where} shows another host key (${params.shown}) than remembered (${params.known})`,
    params,
  )
}
