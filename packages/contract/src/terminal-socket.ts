/**
 * The browser terminal's socket, `/koko/ws/terminal/` with subprotocol `JMS-KOKO`. Text frames are one JSON envelope,
 * binary frames raw terminal bytes both ways. Query: `token=<connection token id>` for a new session,
 * `type=monitor&target_id=<session id>` to watch, `type=reattach&target_id=<session id>` after a lost socket.
 */
import { z } from 'zod'
import { endReasonSchema } from './recording.ts'

export const terminalSocketPath = '/koko/ws/terminal/'
export const terminalSubprotocol = 'JMS-KOKO'

export const terminalMessageTypes = [
  'CONNECT',
  'TERMINAL_INIT',
  'TERMINAL_DATA',
  'TERMINAL_RESIZE',
  'TERMINAL_SESSION',
  'TERMINAL_SHARE',
  'TERMINAL_GET_SHARE_USER',
  'TERMINAL_SHARE_JOIN',
  'TERMINAL_SHARE_LEAVE',
  'TERMINAL_SHARE_USERS',
  'TERMINAL_ACTION',
  'TERMINAL_ERROR',
  'PING',
  'PONG',
  'CLOSE',
  // Sallyport's own; clients of the compatible system ignore them
  'TERMINAL_ACK',
  'TERMINAL_INPUT_ACK',
  'TERMINAL_END',
  'TERMINAL_RESTORE',
  'MONITOR_POSITION',
] as const
export type TerminalMessageType = (typeof terminalMessageTypes)[number]

/** More than the largest screens show; what a session holds of its screen grows with both. */
export const terminalColsMax = 600
export const terminalRowsMax = 200
/** A text frame from a browser is at most this long; longer pastes come in several. */
export const terminalMessageMaxBytes = 256 * 1024
/** After its first TERMINAL_ACK a client is sent at most this much beyond what it acknowledged. */
export const terminalAckWindowBytes = 1024 * 1024
/** After its first TERMINAL_INPUT_ACK a gateway is sent at most this much beyond what it has given on. */
export const terminalInputWindowBytes = 128 * 1024
/** A gateway reads on while no more typed text of a session than this waits in it. */
export const terminalInputWaitingMaxBytes = 1024 * 1024
/** How long a session waits for its browser to come back after a lost socket. */
export const reattachWithinMs = 60_000
/** A browser sends PING once it is greeted, and then this often; a gateway answers with PONG. */
export const terminalPingMs = 5000

/** Envelope of every text frame; `data` is text, often JSON, and null where there is none. Objects of other types are passed over. */
export const terminalMessageSchema = z.object({
  id: z.string().max(64).default(''),
  type: z.enum(terminalMessageTypes),
  data: z
    .string()
    .max(terminalMessageMaxBytes)
    .nullish()
    .transform((data) => data ?? ''),
  err: z.string().max(4096).optional(),
})
export type TerminalMessage = z.infer<typeof terminalMessageSchema>

const bounded = (max: number) =>
  z
    .number()
    .int()
    .transform((value) => Math.min(max, Math.max(1, value)))

/** data of TERMINAL_INIT (once, first) and TERMINAL_RESIZE from the browser; sizes are brought into 1×1 to 600×200. */
export const terminalSizeSchema = z.object({
  cols: bounded(terminalColsMax),
  rows: bounded(terminalRowsMax),
  code: z.string().max(64).optional(),
})

/** data of TERMINAL_RESIZE to the browser: the owner's window. */
export const ownerSizeSchema = z.object({ Width: z.number().int(), Height: z.number().int() })

/** data of TERMINAL_SESSION, sent when the session is live (also to a watcher and after a re-attach). */
export const terminalSessionSchema = z.object({
  session: z.object({
    id: z.string(),
    user: z.string(),
    user_id: z.string(),
    asset: z.string(),
    asset_id: z.string(),
    account: z.string(),
    account_id: z.string(),
    login_from: z.string(),
    remote_addr: z.string(),
    protocol: z.string(),
    type: z.string(),
    org_id: z.string(),
    /** ISO 8601 */
    date_start: z.string(),
  }),
  permission: z.object({ actions: z.array(z.string()) }).optional(),
})
export type TerminalSession = z.infer<typeof terminalSessionSchema>

/** data of TERMINAL_ACK, from the client: how many bytes of binary output it has shown since its socket opened. */
export const terminalAckSchema = z.object({ bytes: z.number().int().nonnegative() })

/**
 * data of TERMINAL_INPUT_ACK, from the gateway: how many bytes of what was typed since the session began (binary frames, and TERMINAL_DATA
 * as UTF-8) it has taken, and how many of these it has given on. It is sent first of all on every socket of a session, then as they are
 * given on. What comes on a socket is taken in whole messages; what was sent and not taken when a socket is lost is sent again on the next.
 */
export const terminalInputAckSchema = z.object({
  taken: z.number().int().nonnegative(),
  bytes: z.number().int().nonnegative(),
  /** How many sockets the session has had: where it is more than one more than before, somebody typed elsewhere perhaps. */
  sockets: z.number().int().nonnegative(),
  /** How many lines were not let through: what a page still holds was meant to follow such a line. */
  refused: z.number().int().nonnegative(),
})
export type TerminalInputAck = z.infer<typeof terminalInputAckSchema>

/**
 * data of TERMINAL_END, sent before CLOSE. `message` is a sentence in the person's language. `can_reattach` is true
 * when only this socket ends (it was replaced by a newer one), the session goes on.
 */
export const terminalEndSchema = z.object({
  reason: z.union([endReasonSchema, z.enum(['refused', 'replaced', 'not_found'])]),
  detail: z.string(),
  message: z.string(),
  can_reattach: z.boolean(),
})
export type TerminalEnd = z.infer<typeof terminalEndSchema>

/**
 * data of TERMINAL_RESTORE, sent after a re-attach: the next binary frame repaints the whole screen, so the client
 * resets its terminal and takes this size first.
 */
export const terminalRestoreSchema = z.object({ cols: z.number().int(), rows: z.number().int() })

/** data of MONITOR_POSITION: how far the watcher's stream has come; `is_live` once it has caught up. */
export const monitorPositionSchema = z.object({ time_ms: z.number(), is_live: z.boolean() })
