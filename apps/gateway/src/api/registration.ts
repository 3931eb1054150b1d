import { randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ConfigError, readBootstrapToken, type Config } from '../config.ts'
import type { Log } from '../log.ts'
import type { ApiClient } from './client.ts'
import { isKeyRefusal, ServerAwayError, ServerRefusedError } from './errors.ts'
import type { AccessKey } from './signature.ts'

const retryMs = 1000
/** How often the log says again what is to be done. */
const remindMs = 600_000

/**
 * Keeps the gateway known to the server: one access key, in the file `access_key` of its folder, mode 0600. A key the server does not take
 * any more is not replaced by itself: whoever deleted the gateway there meant it. Somebody removes the file, then it registers anew.
 */
export class Registration {
  readonly #config: Config
  readonly #api: ApiClient
  readonly #log: Log
  /** Waits for the file to be removed. */
  #waiting: Promise<void> | undefined
  /** Called when there is another key than before. */
  onRegistered: () => Promise<void> = () => Promise.resolve()

  constructor(config: Config, api: ApiClient, log: Log) {
    this.#config = config
    this.#api = api
    this.#log = log
  }

  /** Waits for the server, and for a refused key to be removed, as long as it takes. Throws ConfigError when the server refuses the secret. */
  async establish(signal: AbortSignal): Promise<void> {
    this.#api.transport.onKeyRefused = () => this.#refused(signal)
    let told = false
    for (;;) {
      try {
        this.#api.transport.key ??= await this.#readKey()
        if (!this.#api.transport.key) await this.#register()
        await this.#api.ownProfile()
        return
      } catch (error) {
        if (isKeyRefusal(error)) await this.#waiting
        else if (!(error instanceof ServerAwayError)) throw error
        else if (!told) {
          told = true
          this.#log.warn({ err: error }, 'waiting for the server')
        }
        await sleep(retryMs, undefined, { signal })
      }
    }
  }

  #refused(signal: AbortSignal): void {
    this.#waiting ??= this.#waitForRemoval(signal)
      .catch((error: unknown) => {
        if (!signal.aborted) this.#log.error({ err: error }, 'registering anew failed')
      })
      .finally(() => (this.#waiting = undefined))
  }

  async #waitForRemoval(signal: AbortSignal): Promise<void> {
    for (let waitedMs = 0; await this.#readKey(); waitedMs += retryMs) {
      if (waitedMs % remindMs === 0)
        this.#log.error(
          { file: this.#keyFile },
          'the server does not take the key of this gateway: it was deleted there; to register it anew, remove the file with its key',
        )
      await sleep(retryMs, undefined, { signal })
    }
    await this.#register()
    await this.onRegistered()
  }

  async #register(): Promise<void> {
    const token = await readBootstrapToken(this.#config)
    if (!token) {
      throw new ServerAwayError(
        `no registration secret yet: set SALLYPORT_BOOTSTRAP_TOKEN or provide ${this.#config.bootstrapTokenFile}`,
      )
    }
    const key = await this.#registerUnderFreeName(token)
    await this.#writeKey(key)
    this.#api.transport.key = key
    this.#log.info({ key_id: key.id }, 'registered with the server')
  }

  async #registerUnderFreeName(token: string): Promise<AccessKey> {
    const name = `[Sallyport]-${hostname()}`
    try {
      return await this.#api.register(token, name)
    } catch (error) {
      if (!(error instanceof ServerRefusedError)) throw error
      if (error.status === 401 || error.status === 403) {
        throw new ConfigError('The server refused the registration secret: check SALLYPORT_BOOTSTRAP_TOKEN', {
          cause: error,
        })
      }
      this.#log.info({ err: error }, 'the name is taken, registering under another one')
      return await this.#api.register(token, `${name}-${randomBytes(3).toString('hex')}`)
    }
  }

  get #keyFile(): string {
    return join(this.#config.folder, 'access_key')
  }

  async #readKey(): Promise<AccessKey | undefined> {
    let text: string
    try {
      text = await readFile(this.#keyFile, 'utf8')
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
      throw error
    }
    const [id, secret] = text.trim().split(':')
    return id && secret ? { id, secret } : undefined
  }

  async #writeKey(key: AccessKey): Promise<void> {
    await mkdir(this.#config.folder, { recursive: true, mode: 0o700 })
    const temporary = `${this.#keyFile}.new`
    await writeFile(temporary, `${key.id}:${key.secret}\n`, { mode: 0o600 })
    await rename(temporary, this.#keyFile)
  }
}
