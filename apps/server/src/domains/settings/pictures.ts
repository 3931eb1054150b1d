/** Pictures people set: told by what they are, not by what they say, kept in the database, and served as nothing else. */
import { createHash } from 'node:crypto'
import { eq, notInArray } from 'drizzle-orm'
import { ApiError } from '../../kernel/errors.ts'
import type { Executor } from '../../kernel/database/index.ts'
import { route, type RouteByHand } from '../../kernel/http/route.ts'
import { pictures } from './tables.ts'

interface Kind {
  type: string
  extension: string
  /** In hexadecimal. */
  begins: RegExp
}
/** Of pictures that cannot hold a script. */
const kinds: readonly Kind[] = [
  { type: 'image/png', extension: 'png', begins: /^89504e470d0a1a0a/ },
  { type: 'image/jpeg', extension: 'jpg', begins: /^ffd8ff/ },
  { type: 'image/gif', extension: 'gif', begins: /^474946383[79]61/ },
  { type: 'image/webp', extension: 'webp', begins: /^52494646.{8}57454250/ },
  { type: 'image/x-icon', extension: 'ico', begins: /^00000100/ },
]

/** Keeps a picture; answers the name of its file, undefined where it is none. */
export async function keepPicture(executor: Executor, content: Uint8Array): Promise<string | undefined> {
  const head = Buffer.from(content.subarray(0, 16)).toString('hex')
  const kind = kinds.find(({ begins }) => begins.test(head))
  if (kind === undefined) return undefined
  const file = `${createHash('sha256').update(content).digest('hex').slice(0, 32)}.${kind.extension}`
  await executor
    .insert(pictures)
    .values({ file, type: kind.type, content: Buffer.from(content) })
    .onConflictDoNothing()
  return file
}

/** Lets go of all pictures but these. */
export async function dropPicturesBut(executor: Executor, files: readonly string[]): Promise<void> {
  await executor.delete(pictures).where(notInArray(pictures.file, ['', ...files]))
}

const base = '/media/interface/'
export const pictureAddress = (file: string) => `${base}${file}`

export const pictureRoute: RouteByHand = route({
  method: 'GET',
  path: `${base}:file/`,
  access: 'public',
  byHand: 'a picture',
  handler: async (ctx, { params, reply }) => {
    const [found] = await ctx.db
      .select()
      .from(pictures)
      .where(eq(pictures.file, params['file'] ?? ''))
    if (found === undefined) throw new ApiError(404, 'not_found')
    reply.headers({
      'content-type': found.type,
      // What is in a file never changes: another picture has another name.
      'cache-control': 'public, max-age=31536000, immutable',
      'content-security-policy': "default-src 'none'; sandbox",
    })
    return found.content
  },
})
