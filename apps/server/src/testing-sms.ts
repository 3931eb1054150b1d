/**
 * Providers of SMS on loopback, one of each kind: they read the documented protocol with code of their own, take only what is signed with
 * their secret, and misbehave on demand.
 */
import { createHash, createHmac } from 'node:crypto'
import { once } from 'node:events'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { afterAll } from 'vitest'

export interface TakenSms {
  phone: string
  code: string
  /** Everything that was said, for what only one provider wants. */
  said: Record<string, string>
}
type Behaviour = 'take' | 'refuse' | 'busy' | 'hang' | 'flood' | 'babble' | 'drop' | 'lead'
export interface TestProvider {
  port: number
  url: string
  taken: TakenSms[]
  /** How often it was asked, whatever came of it. */
  asked: number
  behave: Behaviour
}
export const secret = 'The-secret-of-9'

/** Reads one request: the text, or why it is refused. */
type Reading = (asked: { headers: http.IncomingHttpHeaders; body: string }) => TakenSms | string
interface Answers {
  taken: unknown
  refused(code: string): unknown
  /** Undefined: the way to it is, and says so in words. */
  busy: string | undefined
}

async function startHttp(read: Reading, answers: Answers): Promise<TestProvider> {
  const at: TestProvider = { port: 0, url: '', taken: [], asked: 0, behave: 'take' }
  const server = http.createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      at.asked += 1
      const say = (body: unknown) => void response.end(JSON.stringify(body))
      const answer: Record<Behaviour, () => void> = {
        hang: () => {},
        drop: () => void request.socket.destroy(),
        lead: () => void response.writeHead(307, { location: '/elsewhere' }).end(),
        babble: () => void response.end('<html>'),
        flood: () => void response.end(`"${'x'.repeat(1 << 20)}"`),
        busy: () => {
          if (answers.busy === undefined) response.writeHead(503).end('Service Unavailable')
          else say(answers.refused(answers.busy))
        },
        refuse: () => say(answers.refused('ILLEGAL')),
        take: () => {
          const found = read({ headers: request.headers, body: Buffer.concat(pieces).toString() })
          if (typeof found !== 'string') at.taken.push(found)
          say(typeof found === 'string' ? answers.refused(found) : answers.taken)
        },
      }
      answer[at.behave]()
    })
  })
  at.port = await listening(server)
  at.url = `http://127.0.0.1:${at.port}/`
  return at
}

async function listening(server: net.Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const open = new Set<net.Socket>()
  server.on('connection', (socket: net.Socket) => {
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
  })
  afterAll(async () => {
    server.close()
    for (const socket of open) socket.destroy()
    await once(server, 'close')
  })
  return (server.address() as AddressInfo).port
}

/** As the vendor's page on signatures tells it, from the form as it arrived. */
export const startAlibaba = () =>
  startHttp(
    ({ body }) => {
      const pairs = body
        .split('&')
        .map((pair) => pair.split('=').map((part) => decodeURIComponent(part.replaceAll('+', ' '))))
      const { Signature: given, ...said } = Object.fromEntries(pairs) as Record<string, string>
      const percent = (text: string) =>
        [...Buffer.from(text)]
          .map((byte) => {
            const one = String.fromCodePoint(byte)
            return /[\w.~-]/.test(one) ? one : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
          })
          .join('')
      const canonical = Object.entries(said)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([name, value]) => `${percent(name)}=${percent(value)}`)
        .join('&')
      const hmac = createHmac('sha1', `${secret}&`)
      hmac.update(`POST&%2F&${percent(canonical)}`)
      if (hmac.digest('base64') !== given) return 'SignatureDoesNotMatch'
      if (said['Action'] !== 'SendSms' || said['Version'] !== '2017-05-25') return 'InvalidAction'
      if (said['SignatureVersion'] !== '1.0' || said['SignatureMethod'] !== 'HMAC-SHA1')
        return 'InvalidSignature'
      if (Math.abs(Date.parse(said['Timestamp'] ?? '') - Date.now()) > 60_000)
        return 'InvalidTimeStamp.Expired'
      const { code } = JSON.parse(said['TemplateParam'] ?? '{}') as { code: string }
      return { phone: said['PhoneNumbers'] ?? '', code, said }
    },
    {
      taken: { Code: 'OK', Message: 'OK', RequestId: '1', BizId: '1' },
      refused: (Code) => ({ Code, Message: 'no', RequestId: '1' }),
      busy: 'Throttling.User',
    },
  )

export const startTencent = () =>
  startHttp(
    ({ headers, body }) => {
      const given =
        /^TC3-HMAC-SHA256 Credential=(.+?)\/(.+?)\/sms\/tc3_request, SignedHeaders=(.+?), Signature=(\w+)$/.exec(
          headers.authorization ?? '',
        )
      const [, id = '', date = '', signed = '', signature = ''] = given ?? []
      const sha = (text: string) => createHash('sha256').update(text).digest('hex')
      const mac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
      const stamp = Number(headers['x-tc-timestamp'])
      if (new Date(stamp * 1000).toISOString().slice(0, 10) !== date) return 'AuthFailure.SignatureExpire'
      const names = signed.split(';')
      if (!['content-type', 'host'].every((name) => names.includes(name)))
        return 'AuthFailure.SignatureFailure'
      const canonical = `POST\n/\n\n${names
        .map((name) => `${name}:${String(headers[name]).trim().toLowerCase()}`)
        .join('\n')}\n\n${signed}\n${sha(body)}`
      const text = `TC3-HMAC-SHA256\n${stamp}\n${date}/sms/tc3_request\n${sha(canonical)}`
      const dated = mac(`TC3${secret}`, date)
      const key = mac(mac(dated, 'sms'), 'tc3_request')
      if (mac(key, text).toString('hex') !== signature) return 'AuthFailure.SignatureFailure'
      if (headers['x-tc-action'] !== 'SendSms' || headers['x-tc-version'] !== '2021-01-11')
        return 'InvalidAction'
      const sent = JSON.parse(body) as {
        PhoneNumberSet: [string]
        TemplateParamSet: [string]
        SmsSdkAppId: string
        SignName: string
        TemplateId: string
      }
      return {
        phone: sent.PhoneNumberSet[0],
        code: sent.TemplateParamSet[0],
        said: { app: sent.SmsSdkAppId, sign: sent.SignName, template: sent.TemplateId, id },
      }
    },
    {
      taken: { Response: { SendStatusSet: [{ Code: 'Ok', Message: 'send success' }], RequestId: '1' } },
      refused: (Code) =>
        Code.startsWith('ILLEGAL')
          ? { Response: { SendStatusSet: [{ Code, Message: 'no' }], RequestId: '1' } }
          : { Response: { Error: { Code, Message: 'no' }, RequestId: '1' } },
      busy: 'RequestLimitExceeded',
    },
  )

export const startHuawei = () =>
  startHttp(
    ({ headers, body }) => {
      const shown = String(headers['x-wsse'])
      const part = (name: string) => new RegExp(`${name}="([^"]*)"`).exec(shown)?.[1] ?? ''
      const digest = createHash('sha256').update(`${part('Nonce')}${part('Created')}${secret}`)
      if (digest.digest('base64') !== part('PasswordDigest')) return 'E000103'
      if (!headers.authorization?.startsWith('WSSE realm="SDP"')) return 'E000101'
      if (Math.abs(Date.parse(part('Created')) - Date.now()) > 60_000) return 'E000104'
      const said = Object.fromEntries(new URLSearchParams(body))
      const [code = ''] = JSON.parse(said['templateParas'] ?? '[]') as string[]
      return { phone: said['to'] ?? '', code, said: { ...said, appKey: part('Username') } }
    },
    {
      taken: { code: '000000', description: 'Success', result: [{ status: '000000' }] },
      refused: (code) =>
        code === 'ILLEGAL'
          ? { code: '000000', description: 'Success', result: [{ status: 'E000510' }] }
          : { code, description: 'no' },
      busy: undefined,
    },
  )

/** Settings that lead to it. */
export const settingsOf = ({ url }: Pick<TestProvider, 'url'>) => ({
  HUAWEI_APP_KEY: 'app',
  HUAWEI_APP_SECRET: secret,
  HUAWEI_SMS_ENDPOINT: url,
  HUAWEI_SIGN_CHANNEL_NUM: '8824110605',
  HUAWEI_VERIFY_SIGN_NAME: 'Sallyport',
  HUAWEI_VERIFY_TEMPLATE_CODE: 'template-1',
})

export interface TestGateway extends TestProvider {
  /** Of each connection, in the order they were heard. */
  heard: string[][]
  /** It does not know the shared secret, and lets everybody in. */
  isImpostor: boolean
}

/** A gateway of CMPP 2.0 whose SP is `903001`. */
export async function startCmpp2(): Promise<TestGateway> {
  const at: TestGateway = {
    port: 0,
    url: '',
    taken: [],
    asked: 0,
    behave: 'take',
    heard: [],
    isImpostor: false,
  }
  const message = (command: number, sequence: number, body: Buffer) => {
    const head = Buffer.alloc(12)
    for (const [index, value] of [12 + body.length, command, sequence].entries())
      head.writeUInt32BE(value, index * 4)
    return Buffer.concat([head, body])
  }
  const server = net.createServer((socket) => {
    const heard: string[] = []
    at.heard.push(heard)
    at.asked += 1
    let held: Buffer = Buffer.alloc(0)
    /** In small pieces: nothing on a wire comes in whole messages. */
    const say = (bytes: Buffer) => {
      for (let from = 0; from < bytes.length; from += 7) socket.write(bytes.subarray(from, from + 7))
    }
    const hear = (command: number, sequence: number, body: Buffer) => {
      if (at.behave === 'hang') return
      if (at.behave === 'drop') socket.destroy()
      else if (at.behave === 'babble') socket.write('HTTP/1.1 400 Bad Request\r\n\r\n')
      else if (at.behave === 'flood')
        for (let times = 0; times < 100; times++) socket.write(message(5, times, Buffer.alloc(4000)))
      else answer(command, sequence, body)
    }
    const answer = (command: number, sequence: number, body: Buffer) => {
      if (command === 1) {
        heard.push('connect')
        const spId = body.toString('latin1', 0, 6)
        const stamp = String(body.readUInt32BE(23)).padStart(10, '0')
        const expected = createHash('md5')
          .update(`${spId}${'\0'.repeat(9)}${secret}${stamp}`)
          .digest()
        const given = body.subarray(6, 22)
        const isRight = spId === '903001' && given.equals(expected) && body[22] === 0x20 && body.length === 27
        const status = Buffer.from([isRight || at.isImpostor ? 0 : 3])
        const proof = createHash('md5')
          .update(Buffer.concat([status, given, Buffer.from(at.isImpostor ? 'unknown' : secret)]))
          .digest()
        say(message(0x8000_0001, sequence, Buffer.concat([status, proof, Buffer.from([0x20])])))
        // Whether anybody is there.
        say(message(8, 77, Buffer.alloc(0)))
      } else if (command === 4) {
        heard.push('submit')
        const text = (from: number, size: number) =>
          body.toString('latin1', from, from + size).replace(/\0+$/, '')
        const length = body[138] ?? 0
        const content = Buffer.from(body.subarray(139, 139 + length))
          .swap16()
          .toString('utf16le')
        const isWhole = body.length === 139 + length + 8 && body[116] === 1 && body[46] === 8
        const result = at.behave === 'busy' ? 8 : at.behave === 'refuse' || !isWhole ? 9 : 0
        if (result === 0)
          at.taken.push({
            phone: text(117, 21),
            code: /\d{6}/.exec(content)?.[0] ?? '',
            said: { content, service: text(12, 10), spId: text(47, 6), source: text(95, 21) },
          })
        say(message(0x8000_0004, sequence, Buffer.concat([Buffer.alloc(8, 1), Buffer.from([result])])))
      } else if (command === 2) {
        heard.push('terminate')
        say(message(0x8000_0002, sequence, Buffer.alloc(0)))
      } else if (command === 0x8000_0008 && sequence === 77) heard.push('there')
      else socket.destroy()
    }
    socket.on('data', (piece: Buffer) => {
      held = Buffer.concat([held, piece])
      while (held.length >= 12 && held.length >= held.readUInt32BE(0)) {
        const length = held.readUInt32BE(0)
        hear(held.readUInt32BE(4), held.readUInt32BE(8), held.subarray(12, length))
        held = held.subarray(length)
      }
    })
  })
  at.port = await listening(server)
  return at
}
