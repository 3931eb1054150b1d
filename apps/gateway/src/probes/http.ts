import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { TargetError } from '../targets/ssh/errors.ts'
import { encrypted, unchecked } from './encrypted.ts'
import { dialed, type Way } from './way.ts'

const headerMaxBytes = 16 * 1024

/** Asks a web server for its page; what it answers is not read. A server that says it is broken is not reachable. Throws a TargetError. */
export async function probeHttp(address: string, way: Way): Promise<void> {
  const url = URL.parse(address.includes('://') ? address : `http://${address}`)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new TargetError('target_no_url', `${address} is no URL`, { address })
  const isSecure = url.protocol === 'https:'
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const port = Number(url.port || (isSecure ? 443 : 80))
  const where = url.host
  const plain = await dialed(way, host, port)
  try {
    // Whether people trust the certificate is their browser's matter: this only asks whether somebody answers.
    const stream = isSecure
      ? await encrypted(plain, { host, where, tls: unchecked, signal: way.signal })
      : plain
    // It was opened without reading; a web server says nothing before it is asked.
    stream.resume()
    const status = await new Promise<number>((resolve, reject) => {
      const send = isSecure ? httpsRequest : httpRequest
      const asked = send(
        {
          host,
          port,
          path: `${url.pathname}${url.search}`,
          method: 'GET',
          headers: { host: url.host, 'user-agent': 'Sallyport', connection: 'close' },
          createConnection: () => stream,
          agent: false,
          maxHeaderSize: headerMaxBytes,
          signal: way.signal,
        },
        (response) => {
          resolve(response.statusCode ?? 0)
          response.destroy()
        },
      )
      asked.once('error', reject)
      asked.end()
    })
    if (status >= 500)
      throw new TargetError('target_http_status', `${where} answered ${status}`, {
        where,
        status: String(status),
      })
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined
    if (typeof code !== 'string' || !code.startsWith('HPE_')) throw error
    throw new TargetError(
      'target_other_protocol',
      `${where} speaks no HTTP`,
      { where, protocol: 'HTTP' },
      error,
    )
  } finally {
    plain.destroy()
  }
}
