import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { CallRequest } from '@sallyport/contract/resource/calls'
import { z } from 'zod'
import { isKeyRefusal, ServerAwayError, ServerRefusedError } from './errors.ts'
import { signedHeaders, type AccessKey } from './signature.ts'

export const rootOrganization = '00000000-0000-0000-0000-000000000000'

const timeoutMs = 15_000
const responseMaxBytes = 16 * 1024 * 1024
const retryDelaysMs = [200, 800, 2000]

export interface Call extends CallRequest {
  bytes?: Uint8Array
  headers?: Record<string, string>
  /** Signed with the gateway's key unless told otherwise. */
  signed?: boolean
  /** Repeated a few times while the server is away; only for calls that may safely arrive twice. */
  retry?: boolean
  signal?: AbortSignal
}

export interface Answer {
  status: number
  headers: IncomingMessage['headers']
  body: unknown
}

/** One server, spoken to over kept-alive connections, with every answer bounded in time and size. */
export class Transport {
  readonly origin: URL
  /** Set once the gateway is registered. */
  key: AccessKey | undefined
  /** Called when the server does not know the key (any more). */
  onKeyRefused: () => void = () => {}
  readonly #agent: HttpAgent | HttpsAgent

  constructor(origin: URL) {
    this.origin = origin
    const options = { keepAlive: true, maxSockets: 32, maxFreeSockets: 8, timeout: 30_000 }
    this.#agent = origin.protocol === 'https:' ? new HttpsAgent(options) : new HttpAgent(options)
  }

  /**
   * The answer parsed by `schema`. Throws ServerRefusedError for a status from 400 on, ServerAwayError when nothing
   * usable came.
   */
  async call<Schema extends z.ZodType>(call: Call, schema: Schema): Promise<z.output<Schema>> {
    const answer = await this.answer(call)
    const parsed = schema.safeParse(answer.body)
    if (parsed.success) return parsed.data
    throw new ServerAwayError(
      `${call.method} ${call.path}: unexpected answer: ${z.prettifyError(parsed.error)}`,
    )
  }

  /** As `call`, with status and headers, and without looking into the body. */
  async answer(call: Call): Promise<Answer> {
    const delays = call.retry ? retryDelaysMs : []
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#signedAnswer(call)
      } catch (error) {
        const delayMs = delays[attempt]
        if (!(error instanceof ServerAwayError) || delayMs === undefined || call.signal?.aborted) throw error
        await sleep(delayMs, undefined, { signal: call.signal })
      }
    }
  }

  async #signedAnswer(call: Call): Promise<Answer> {
    try {
      return await this.#once(call)
    } catch (error) {
      if (call.signed !== false && isKeyRefusal(error)) this.onKeyRefused()
      throw error
    }
  }

  #once(call: Call): Promise<Answer> {
    const name = `${call.method} ${call.path}`
    const path = targetOf(call)
    const body = call.bytes ?? (call.body === undefined ? undefined : Buffer.from(JSON.stringify(call.body)))
    const headers: Record<string, string> = {
      accept: 'application/json',
      // What the server says is quoted in the log; calls for a person name theirs.
      'accept-language': 'en',
      'x-jms-org': rootOrganization,
      ...call.headers,
    }
    if (call.body !== undefined) headers['content-type'] = 'application/json'
    if (body) headers['content-length'] = String(body.byteLength)
    if (call.signed !== false) {
      if (!this.key) throw new ServerAwayError(`${name}: the gateway is not registered yet`)
      Object.assign(headers, signedHeaders(this.key, { method: call.method, target: path, body }))
    }
    return new Promise((resolve, reject) => {
      const away = (why: string, cause?: unknown) => reject(new ServerAwayError(`${name}: ${why}`, { cause }))
      const send = this.origin.protocol === 'https:' ? httpsRequest : httpRequest
      const request = send(
        {
          agent: this.#agent,
          host: this.#host,
          port: this.origin.port,
          path,
          method: call.method,
          headers,
          signal: call.signal,
        },
        (response) => {
          const parts: Buffer[] = []
          let bytes = 0
          response.on('data', (part: Buffer) => {
            bytes += part.byteLength
            if (bytes > responseMaxBytes) request.destroy(new Error('the answer is too large'))
            else parts.push(part)
          })
          response.once('error', (error) => away('the answer was cut off', error))
          response.once('end', () => {
            const status = response.statusCode ?? 0
            const text = Buffer.concat(parts).toString('utf8')
            const answer = parseBody(text)
            if (status >= 502 && status <= 504) return away(`the server is away (${status})`)
            if (status >= 400) return reject(new ServerRefusedError(name, status, answer))
            resolve({ status, headers: response.headers, body: answer })
          })
        },
      )
      request.setTimeout(timeoutMs, () => request.destroy(new Error('no answer in time')))
      const deadline = setTimeout(() => request.destroy(new Error('no whole answer in time')), 2 * timeoutMs)
      request.once('close', () => clearTimeout(deadline))
      request.once('error', (error) => away(error.message, error))
      request.end(body)
    })
  }

  get #host(): string {
    return this.origin.hostname.replace(/^\[|\]$/g, '')
  }

  close(): void {
    this.#agent.destroy()
  }
}

/** Path and query; a list of values is sent as the parameter repeated, an empty value not at all. */
function targetOf({ path, query = {} }: CallRequest): string {
  const sent = new URLSearchParams()
  for (const [name, given] of Object.entries(query))
    for (const value of [given].flat()) if (isSent(value)) sent.append(name, String(value))
  return sent.size === 0 ? path : `${path}?${sent.toString()}`
}
const isSent = (value: unknown) => typeof value === 'number' || (typeof value === 'string' && value !== '')

function parseBody(text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
