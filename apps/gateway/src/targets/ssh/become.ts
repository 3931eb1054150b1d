/**
 * Signing in as one account and becoming another with `su`: what is asked for is answered here, before anybody sees or records anything of
 * the channel, and what the person gets begins where the other account's shell or command does.
 */
import { randomBytes } from 'node:crypto'
import type { ShellConnection, TargetChannel, Terminal } from '../../traffic/ports.ts'
import { TargetError } from './errors.ts'
import { Ear } from './ear.ts'

export interface Becoming {
  /** The machine, for sentences. */
  where: string
  /** Who is signed in. */
  from: Account
  /** Whom it becomes. */
  to: Account
  /** `sudo` asks for the password of who is signed in, `su` for that of whom it becomes. */
  method: 'su' | 'sudo'
  /** For each thing waited for. */
  timeoutMs?: number
}
interface Account {
  username: string
  /** Undefined: it has none, but a key perhaps. */
  password: string | undefined
}

const stepMs = 20_000
/** What comes so soon after another belongs to it: a question in pieces, the end behind a refusal. */
const settleMs = 300
/** `su` says why it failed, or warns, and either ends or goes on. */
const verdictMs = 5000

/** The same connection, on which everything runs as the other account. */
export const becoming = (connection: ShellConnection, plan: Becoming): ShellConnection => ({
  async shell(terminal, options) {
    const mark = markOf()
    const inside = terminal === undefined ? insideOf(mark, undefined) : undefined
    const channel = await connection.exec(commandOf(plan, mark, inside, terminal), { terminal, ...options })
    return await become(channel, plan, { mark, isMarked: inside !== undefined })
  },
  async exec(command, options = {}) {
    const mark = markOf()
    const inside = insideOf(mark, command, options.terminal)
    const channel = await connection.exec(commandOf(plan, mark, inside, options.terminal), options)
    return await become(channel, plan, { mark, isMarked: true })
  },
  roundTrip: () => connection.roundTrip(),
  closed: connection.closed,
  hostKey: connection.hostKey,
  end: () => connection.end(),
})

/** Printed before `su` begins, and, where it can be, once the other account runs. Nobody can guess either. */
interface Mark {
  begun: string
  become: string
}
const markOf = (): Mark => ({
  begun: randomBytes(16).toString('hex'),
  become: randomBytes(16).toString('hex'),
})

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** What the other account runs, by its own shell, once it has said that it is there: on both outputs where there are two. */
function insideOf({ become }: Mark, command: string | undefined, terminal?: Terminal): string {
  const say = `printf %s ${become}${terminal ? '' : `; printf %s ${become} >&2`}`
  const run = command === undefined ? 'exec "${SHELL:-/bin/sh}"' : 'exec "${SHELL:-/bin/sh}" -c "$1"'
  return ['exec', 'sh', '-c', `${say}; ${run}`, 'sh', ...(command === undefined ? [] : [command])]
    .map((word, index) => (index === 0 ? word : quoted(word)))
    .join(' ')
}

/** In the usual folders only, and in English: what it asks has to be understood. */
const plainly = 'exec /usr/bin/env LC_ALL=C PATH=/usr/sbin:/usr/bin:/sbin:/bin'

function commandOf(
  { to, method, where, from }: Becoming,
  { begun }: Mark,
  inside: string | undefined,
  terminal: Terminal | undefined,
): string {
  // It would be taken for an option.
  if (to.username === '' || to.username.startsWith('-') || hasControls(to.username))
    throw refusedBy(where, from, to)
  const su = `su - ${quoted(to.username)}${inside === undefined ? '' : ` -c ${quoted(inside)}`}`
  const sudo = `sudo ${terminal ? '' : '-S '}-p 'Password: ' ${su}`
  return `printf %s ${begun}; ${plainly} ${method === 'sudo' ? sudo : su}`
}

// oxlint-disable-next-line no-control-regex -- a terminal would not take these as they are
const hasControls = (text: string) => /[\u0000-\u001f\u007f]/.test(text)

const refusedBy = (where: string, from: Account, to: Account) =>
  new TargetError('su_refused', `${where} did not let ${from.username} become ${to.username}`, {
    where,
    from: from.username,
    to: to.username,
  })

/** A question is shorter. */
const questionMaxChars = 400

/** Whether what was heard ends with a question for a password. Asked again with every piece that comes, it looks at the end alone. */
export const asksForPassword = (heard: string): boolean =>
  /pass(?:word|phrase)[^\r\n]*:[ \t]*$/i.test(heard.slice(-questionMaxChars))

const warns = /^(?:su|sudo): /
// oxlint-disable-next-line no-control-regex -- sequences of a terminal, which show nothing by themselves
const sequences = /\u001b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|.)|[\u0000-\u001f]/g
const isVisible = (text: string) => text.replaceAll(sequences, ' ').trim() !== ''
const lastLine = (text: string) =>
  text
    .trimEnd()
    .split(/[\r\n]+/)
    .at(-1) ?? ''
const passwordFor = ({ method, from, to }: Becoming) => (method === 'sudo' ? from : to).password

/** Answers `su`, and the channel from where the other account begins on it. The channel is closed where that fails. */
async function become(
  channel: TargetChannel,
  plan: Becoming,
  { mark, isMarked }: { mark: Mark; isMarked: boolean },
): Promise<TargetChannel> {
  const { where, from, to, timeoutMs = stepMs } = plan
  const out = new Ear(channel.stdout)
  const errors = channel.stderr && new Ear(channel.stderr)
  const ears = errors ? [out, errors] : [out]
  const names = { where, from: from.username, to: to.username }
  const refused = () => refusedBy(where, from, to)
  const silent = () => new TargetError('su_silent', `${where} says nothing to su`, names)
  let isAnswered = false
  let since = performance.now()
  const more = async () => {
    const left = since + timeoutMs - performance.now()
    if (left <= 0 || !(await Ear.news(ears, left))) throw silent()
  }
  const answer = () => {
    if (isAnswered) throw refused()
    const password = passwordFor(plan)
    if (password === undefined || password === '' || hasControls(password))
      throw new TargetError('su_password_unusable', `${where}: no password to give su`, names)
    for (const ear of ears) ear.forget()
    channel.stdin.write(`${password}\n`)
    isAnswered = true
    since = performance.now()
  }
  const handOn = (): TargetChannel => {
    const stdout = out.handOn()
    const stderr = errors?.handOn()
    return { ...channel, stdout, stderr }
  }
  try {
    while (!out.skipPast(mark.begun)) {
      if (out.isEnded || out.isFull) throw refused()
      await more()
    }
    for (;;) {
      const isThere = isMarked && out.skipPast(mark.become)
      if (isThere && (!errors || errors.skipPast(mark.become) || errors.isEnded)) return handOn()
      // What is asked once the other account runs is asked of the person.
      if (!isThere && ears.some(({ heard }) => asksForPassword(heard))) {
        answer()
        continue
      }
      if (out.isEnded && !isThere) throw refused()
      // Where what is typed is echoed, that says nothing, and is nobody's to see.
      if (isAnswered) out.withhold(passwordFor(plan) ?? '')
      if (!isMarked && isVisible(out.heard)) {
        const waitMs = warns.test(lastLine(out.heard)) ? verdictMs : settleMs
        if (!out.isFull && (await Ear.news(ears, waitMs))) continue
        return handOn()
      }
      if (ears.some(({ isFull }) => isFull)) throw refused()
      await more()
    }
  } catch (error) {
    for (const ear of ears) ear.stop()
    channel.destroy()
    throw error
  }
}
