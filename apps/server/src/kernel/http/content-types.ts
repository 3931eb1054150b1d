/** How bodies of each type are read. */
import { parse as parseQuery } from 'node:querystring'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import { readInTurn } from './reading.ts'

export function readTypes(app: FastifyInstance): void {
  // Bodies of other types are handed over as streams, to routes that ask for them.
  app.removeContentTypeParser(['text/plain', 'application/json'])
  const parser = app.getDefaultJsonParser('error', 'error')
  const parsed = (request: FastifyRequest, text: string) =>
    new Promise<unknown>((resolve, reject) => {
      void parser(request, text, (error, value) => (error ? reject(error) : resolve(value)))
    })
  // Clients that always name a type send none with nothing in it, too.
  const readJson = async (request: FastifyRequest, body: Buffer): Promise<unknown> => {
    if (body.length === 0) return {}
    const text = textOf(body)
    if (text === undefined) throw new ApiError(400, 'parse_error')
    return await readInTurn(request, body.length, () => parsed(request, text))
  }
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, readJson)
  const readTexts = async (request: FastifyRequest, body: string) =>
    await readInTurn(request, body.length, () => parseQuery(body, '&', '=', { maxKeys: 0 }))
  app.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, readTexts)
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload))
}

const utf8 = new TextDecoder('utf-8', { fatal: true })
/** Undefined for what is no UTF-8: with other characters in the place of its own it would be stored as something else. */
function textOf(body: Buffer | string): string | undefined {
  try {
    return typeof body === 'string' ? body : utf8.decode(body)
  } catch {
    return undefined
  }
}
