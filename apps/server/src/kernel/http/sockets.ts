/** Websockets: admitted like requests, and only from our own pages when a browser's session opens them. */
import websocket from '@fastify/websocket'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { WebSocket } from 'ws'
import { networkOf } from '@sallyport/ssh/arrival/address'
import type { Context } from '../context.ts'
import { ApiError } from '../errors.ts'
import { codeOf } from '../failure.ts'
import type { Gatekeeper } from './access.ts'
import { Latest } from './latest.ts'
import type { Messages } from './messages.ts'
import type { Access } from './route.ts'

export interface SocketRoute {
  /** From the root, with the closing slash of the wire. */
  path: string
  access: Access
  /** Only for pages: who has no browser's session is refused, and a client that tells no origin as one of another site is. */
  forPages?: true
  /** Called once the socket is open. It must attach its listeners at once; an exception closes the socket. */
  open: (ctx: Context, socket: WebSocket, request: FastifyRequest, again: EnterAgain) => void
  /** Says goodbye to somebody whose sign-in has ended and closes; without it the socket is closed with 1008. */
  signInEnded?: (ctx: Context, socket: WebSocket) => void
}
/** The caller with the rights of this moment. @throws ApiError when they would not be let in any more. */
export type EnterAgain = () => Promise<Context>

const maxMessageBytes = 1 << 20
/** Of a message: each may be a byte, or none, and is not counted like a message. Browsers send whole ones. */
const maxFragments = 8

export async function allowSockets(app: FastifyInstance): Promise<void> {
  await app.register(websocket, {
    errorHandler: (error, socket, request) => {
      // Of a peer that does not keep to the protocol, or of ours.
      const isTheirs = codeOf(error)?.startsWith('WS_ERR_') === true
      request.log[isTheirs ? 'debug' : 'error']({ err: error }, 'a websocket failed')
      socket.terminate()
    },
    options: {
      maxPayload: maxMessageBytes,
      maxFragments,
      // The compatible terminal names a sub-protocol; whatever the client offers first is taken.
      handleProtocols: (offered: Set<string>) => [...offered][0] ?? false,
    },
  })
}

/**
 * Browsers always tell the origin of a page; programs, which keep their cookies to themselves, tell none.
 * @throws ApiError 403 when a web page of another site opens a socket with this person's cookies, and for what is no page where the route is
 * for pages
 */
export function checkOrigin(route: SocketRoute, request: FastifyRequest, ctx: Context): void {
  if (ctx.identity?.by !== 'session') {
    if (route.forPages) throw new ApiError(403, 'permission_denied')
    return
  }
  const { origin } = request.headers
  if (origin === undefined && route.forPages !== true) return
  if (origin === undefined || !URL.canParse(origin) || new URL(origin).host !== request.host)
    throw new ApiError(403, 'origin_refused')
}

export function addSocket(
  app: FastifyInstance,
  route: SocketRoute,
  enter: (request: FastifyRequest) => Promise<Context>,
  { gatekeeper, messages }: { gatekeeper: Pick<Gatekeeper, 'onSignInsEnded'>; messages: Messages },
): void {
  const open = new Map<WebSocket, { ctx: Context; again: EnterAgain }>()
  const end = (socket: WebSocket, ctx: Context) => {
    if (route.signInEnded) route.signInEnded(ctx, socket)
    else socket.close(1008)
  }
  // One after the other: there are many.
  const lookAgain = new Latest<void>(
    async () => {
      for (const [socket, { ctx, again }] of open)
        if (ctx.identity?.by === 'session' && (await hasEnded(again))) end(socket, ctx)
    },
    (error) => app.log.error({ err: error }, 'whose sign-ins have ended could not be found out'),
  )
  const stop = gatekeeper.onSignInsEnded(
    (isOver) => {
      for (const [socket, { ctx }] of open) if (ctx.identity && isOver(ctx.identity)) end(socket, ctx)
    },
    () => lookAgain.ask(),
  )
  app.addHook('onClose', (_app, done) => {
    stop()
    lookAgain.end()
    done()
  })
  app.route({
    method: 'GET',
    url: route.path,
    config: { access: route.access },
    onRequest: async (request) => {
      request.context = await enter(request)
    },
    handler: (_request, reply) => reply.code(426).send({ error: 'Upgrade Required' }),
    wsHandler: (socket, request) => {
      const { context } = request
      if (context === undefined) return socket.close(1008)
      if (!messages.admit(context.identity?.id ?? networkOf(request.ip), socket, request.socket)) return
      // A signature serves one request, the handshake.
      const again = () => (context.identity?.by === 'signature' ? Promise.resolve(context) : enter(request))
      open.set(socket, { ctx: context, again })
      socket.once('close', () => open.delete(socket))
      // Whose sign-in ended while the socket was let in was not among those told.
      if (context.identity?.by === 'session')
        hasEnded(again).then(
          (isOver) => isOver && end(socket, context),
          (error: unknown) =>
            app.log.error({ err: error }, 'whether a sign-in has ended could not be found out'),
        )
      route.open(context, socket, request, again)
    },
  })
}

/** Whether somebody is signed in no more. */
async function hasEnded(again: EnterAgain): Promise<boolean> {
  try {
    await again()
    return false
  } catch (error) {
    if (error instanceof ApiError) return error.status === 401
    throw error
  }
}
