/** The API as a script would use it: a Bearer token and JSON. */
export class Api {
  readonly origin: string
  readonly headers: Record<string, string>

  constructor(origin: string, headers: Record<string, string>) {
    this.origin = origin
    this.headers = { 'accept-language': 'en', 'x-tz': 'UTC', ...headers }
  }

  static async signIn(origin: string, username: string, password: string): Promise<Api> {
    const api = new Api(origin, {})
    const answer = await api.post<{ token: string }>('/api/v1/authentication/auth/', { username, password })
    return new Api(origin, { authorization: `Bearer ${answer.token}` })
  }

  async send(method: string, path: string, body?: unknown): Promise<{ status: number; body: unknown }> {
    const response = await fetch(`${this.origin}${path}`, {
      method,
      headers: { ...this.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(60_000),
      redirect: 'manual',
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.includes('json') === true
    return { status: response.status, body: isJson ? (JSON.parse(text) as unknown) : text }
  }

  async #expect<T>(method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.send(method, path, body)
    if (answer.status >= 300)
      throw new Error(
        `${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body).slice(0, 2000)}`,
      )
    return answer.body as T
  }
  get = <T>(path: string) => this.#expect<T>('GET', path)
  post = <T>(path: string, body: unknown = {}) => this.#expect<T>('POST', path, body)
  patch = <T>(path: string, body: unknown = {}) => this.#expect<T>('PATCH', path, body)
  delete = (path: string) => this.#expect<unknown>('DELETE', path)
}
