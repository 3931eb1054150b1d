import { randomBytes, randomUUID } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { z } from 'zod'
import { publicUser, type TestUser } from './people.ts'
import type { Reply } from './recordings.ts'

interface Sent {
  headers: IncomingHttpHeaders
  json: unknown
}

/** How people sign in at the test server: by password or key, and where `mfaCode` is set by that code after it. */
export class TestSignIn {
  mfaCode: string | undefined
  readonly #users: readonly TestUser[]
  readonly #mfaPending = new Map<string, TestUser>()
  readonly #mfaDone = new Map<string, TestUser>()

  constructor(users: readonly TestUser[]) {
    this.#users = users
  }

  login(request: Sent): Reply {
    const body = z
      .object({ username: z.string(), password: z.string().optional(), public_key: z.string().optional() })
      .parse(request.json)
    // As the server's fields say.
    if (body.username === '' || body.username.length > 128)
      return { status: 400, body: { username: ['No such name'] } }
    const user = this.#users.find((candidate) => candidate.username === body.username)
    const isRight =
      user &&
      (body.password === undefined
        ? body.public_key !== undefined && body.public_key === user.public_key
        : body.password === user.password)
    if (!user || !isRight) {
      const error = body.password === undefined ? 'public_key_unknown' : 'password_failed'
      return { status: 400, body: { error, msg: 'Wrong password' } }
    }
    const cookie = /sid=(\w+)/.exec(request.headers.cookie ?? '')?.[1]
    if (this.mfaCode !== undefined && this.#mfaDone.get(cookie ?? '') !== user) {
      const sid = randomBytes(8).toString('hex')
      this.#mfaPending.set(sid, user)
      const data = { choices: ['otp'], url: '/api/v1/authentication/mfa/challenge/' }
      return {
        status: 200,
        body: { error: 'mfa_required', msg: 'MFA required', data },
        headers: { 'set-cookie': `sid=${sid}; Path=/; HttpOnly` },
      }
    }
    return { status: 201, body: { token: randomUUID(), keyword: 'Bearer', user: publicUser(user) } }
  }

  /** The second factor of the login under way. */
  challenge(request: Sent): Reply {
    const { code } = z.object({ code: z.string() }).parse(request.json)
    const sid = /sid=(\w+)/.exec(request.headers.cookie ?? '')?.[1] ?? ''
    const user = this.#mfaPending.get(sid)
    if (!user) return { status: 400, body: { error: 'session_empty', msg: 'No session' } }
    if (code !== this.mfaCode) return { status: 400, body: { error: 'mfa_failed', msg: 'Wrong code' } }
    this.#mfaDone.set(sid, user)
    return { status: 200, body: { msg: 'ok' } }
  }
}
