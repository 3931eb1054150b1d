import type { FastifyInstance } from 'fastify'

export interface Answer {
  status: number
  // What a test reads out of an answer it has just described; unknown names fail where they are compared.
  body: Answered
  headers: Readonly<Record<string, unknown>>
}
interface Named {
  readonly [name: string]: Answered
}
export type Answered = Named & Answered[] & string

export interface Given {
  /** Username and permissions of the caller; undefined for nobody. */
  as?: string | undefined
  org?: string
  headers?: Record<string, string>
}
type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS'

/** Calls below `/api/v1/` of a test server, as one caller unless said otherwise; a text is sent as it is. */
export const callerOf =
  (app: FastifyInstance, usual: string) =>
  async (method: Method, path: string, body?: unknown, given: Given = {}): Promise<Answer> => {
    const as = 'as' in given ? given.as : usual
    const isBytes = body instanceof Uint8Array
    const answer = await app.inject({
      method,
      url: path.startsWith('/') ? path : `/api/v1/${path}`,
      headers: {
        'accept-language': 'en',
        'x-tz': 'UTC',
        ...(as === undefined ? {} : { authorization: `Test ${as}` }),
        ...(given.org === undefined ? {} : { 'x-jms-org': given.org }),
        ...(body === undefined
          ? {}
          : { 'content-type': isBytes ? 'application/octet-stream' : 'application/json' }),
        ...given.headers,
      },
      ...(body === undefined
        ? {}
        : { payload: isBytes ? Buffer.from(body) : typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const isJson = String(answer.headers['content-type']).includes('json')
    return {
      status: answer.statusCode,
      body: (answer.body === '' || !isJson ? answer.body : JSON.parse(answer.body)) as Answered,
      headers: answer.headers,
    }
  }
