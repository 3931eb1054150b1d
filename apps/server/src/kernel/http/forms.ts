/** Forms: with files (multipart/form-data, RFC 7578), and of texts alone. */
import type { Fields, Kind } from '@sallyport/contract'
import type { FastifyRequest } from 'fastify'
import { ApiError, invalid } from '../errors.ts'
import { mediaTypeOf, received } from './received.ts'

/** Texts and files together: many more than any form has. */
const maxParts = 50

/** Beside the files as long as they may be: texts, and enough of one that is longer to say so on its field. */
export const textsBytes = 1 << 20

/** How long a form with these fields may be; undefined where none of them is a file. */
export function formBytesOf(fields: Fields): number | undefined {
  const files = Object.values(fields).flatMap(({ kind }) => (kind.kind === 'file' ? [kind.maxBytes] : []))
  return files.length === 0 ? undefined : files.reduce((sum, bytes) => sum + bytes, textsBytes)
}

export const sendsForm = (request: FastifyRequest): boolean => mediaTypeOf(request) === 'multipart/form-data'
export const sendsTexts = (request: FastifyRequest): boolean =>
  mediaTypeOf(request) === 'application/x-www-form-urlencoded'

const listKinds: ReadonlySet<Kind['kind']> = new Set(['many', 'list', 'ids', 'flags'])

/** A form tells a list of one value and that value alike: of what is declared to be a list, it is one. */
export const formRead = (fields: Fields, form: object): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(form).map(([name, value]: [string, unknown]) => {
      const kind = Object.hasOwn(fields, name) ? fields[name]?.kind.kind : undefined
      return [name, kind && listKinds.has(kind) && typeof value === 'string' ? [value] : value]
    }),
  )

/**
 * Texts as strings, several of one name as a list of them, files as `File`, by name.
 * @throws ApiError 413 over `maxBytes`, 400 where it cannot be read, ValidationError on a file beside others of its name
 */
export async function formOf(request: FastifyRequest, maxBytes: number): Promise<Record<string, unknown>> {
  const body = await received(
    request,
    maxBytes,
    () => new ApiError(413, 'body_too_large', { params: { max: maxBytes } }),
  )
  const type = request.headers['content-type'] ?? ''
  if (partsIn(body, type) > maxParts) throw unreadable()
  const entries = new Map<string, unknown>()
  for (const [name, value] of await parsed(body, type)) {
    const before = entries.get(name)
    if (before === undefined) entries.set(name, value)
    else if (typeof value !== 'string' || before instanceof File) throw invalid(name, 'given_twice')
    else entries.set(name, [before, value].flat())
  }
  return Object.fromEntries(entries)
}

/** Counted before they are read: thousands of empty ones would take long. */
function partsIn(body: Buffer, type: string): number {
  const boundary = /boundary="?([^";]{1,70})/i.exec(type)?.[1]
  if (boundary === undefined) throw unreadable()
  let parts = 0
  for (let at = body.indexOf(boundary); at !== -1 && parts <= maxParts; at = body.indexOf(boundary, at + 1))
    parts += 1
  return parts
}

async function parsed(body: Buffer<ArrayBuffer>, type: string): Promise<FormData> {
  try {
    return await new Response(body, { headers: { 'content-type': type } }).formData()
  } catch (error) {
    throw unreadable(error)
  }
}

const unreadable = (cause?: unknown) =>
  new ApiError(400, 'form_unreadable', { knownAs: 'parse_error', cause })

/** Of a form whose fields are texts alone. @throws ValidationError on a file */
export async function textsOf(request: FastifyRequest, maxBytes: number): Promise<Record<string, unknown>> {
  const form = await formOf(request, maxBytes)
  for (const [name, value] of Object.entries(form)) if (value instanceof File) throw invalid(name, 'not_text')
  return form
}
