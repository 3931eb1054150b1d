/**
 * Which version of a row a client has read: the entity tag of GET, sent back as `If-Match`. Who changes or deletes a version that is no longer the row's
 * is answered 409 with the row as it is now. Clients that send none write over what is there, as those of the compatible system do.
 */
import { errors, type Fields, type Resource, translate } from '@sallyport/contract'
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ApiError } from '../errors.ts'
import type { Context } from '../context.ts'
import type { StoredRow } from '../events.ts'
import { mayRead } from './fields.ts'
import { shownOf } from './nested.ts'

/** Of what can be changed and is shown to this caller: neither secrets nor what the server works out make another version. */
function tagOf(ctx: Context, fields: Fields, row: StoredRow): string {
  const values = Object.entries(fields)
    .filter(([, field]) => !field.options.readOnly && !field.options.writeOnly && mayRead(field, ctx))
    .map(([name, field]) => [name, shownOf(field, row[name] ?? null)])
  return `"${createHash('sha256').update(JSON.stringify(values)).digest('base64url')}"`
}

/** Says which version is answered. */
export const tellVersion = (
  reply: FastifyReply,
  ctx: Context,
  { fields }: Pick<Resource, 'fields'>,
  row: StoredRow,
) => reply.header('etag', tagOf(ctx, fields, row))

/** Whether a request is about another version than the row as it is: one that somebody else has changed since. */
export function isOutdated(
  { headers }: Pick<FastifyRequest, 'headers'>,
  ctx: Context,
  { fields }: Pick<Resource, 'fields'>,
  row: StoredRow,
): boolean {
  const sent = headers['if-match']
  if (sent === undefined || sent.trim() === '*') return false
  // A list (RFC 9110, 13.1.1). Proxies that compress answers make a tag a weak one.
  const tags = sent.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return !tags.includes(tagOf(ctx, fields, row))
}

/** `current`: the row as it is now, presented as an answer to this caller. */
export const changedMeanwhile = (current: unknown) =>
  new ApiError(409, 'changed_meanwhile', {
    body: (language) => ({
      detail: translate(errors, language, 'changed_meanwhile'),
      code: 'changed_meanwhile',
      current,
    }),
  })
