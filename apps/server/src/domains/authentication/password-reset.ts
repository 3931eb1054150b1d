/**
 * Forgotten passwords: who reads the mailbox of an account gets a code, for the code a link, and sets a password by it.
 * Nobody learns from it whether there is such an account, or what its address is: every answer is the same, and takes as long.
 */
import { resetCodePath, signInPages } from '@sallyport/contract/addresses'
import { setTimeout as sleep } from 'node:timers/promises'
import { brokenRules, errors, passwordRulesOf, translate } from '@sallyport/contract'
import { networkOf } from '@sallyport/ssh/arrival/address'
import { and, eq, sql } from 'drizzle-orm'
import { z } from 'zod'
import type { Context } from '../../kernel/context.ts'
import { withTransaction } from '../../kernel/database/index.ts'
import { invalid, refusedAs } from '../../kernel/errors.ts'
import { type Call, Reply, route, type RouteByHand } from '../../kernel/http/route.ts'
import {
  askedBefore,
  countAsked,
  hashChosen,
  holderOfLink,
  isValid,
  makePasswordLink,
  storePassword,
  tryOnce,
  useLink,
  users,
  type UsersServices,
} from '../users/index.ts'
import { askedBeside, isRightCaptcha } from './captcha/captcha.ts'
import { captchaFields, checkForm, isForm } from './forms.ts'

const text = (max: number) => z.string().max(max)
const formToken = { csrfmiddlewaretoken: text(256).optional() }
const tokenQuery = z.object({ token: text(2048).default('') })
const nameBody = z.object({ username: text(128), ...captchaFields, ...formToken })
const codeBody = z.object({ form_type: z.literal('email'), email: text(128) })
const proofBody = z.object({ ...codeBody.shape, code: text(6), ...formToken })
const sealed = text(8192)
const passwordBody = z.object({ new_password: sealed, confirm_password: sealed, ...formToken })

const page = (step: 'forgotten' | 'resetPassword', token: string) =>
  `${signInPages[step]}?token=${encodeURIComponent(token)}`
const forgotMinutes = 5
/** As long as the slowest of the ways an answer comes about, so that its time tells nothing. */
const answerMs = 400
/** Codes asked for and guessed, of one address. */
const mostOfAddress = 30
/** Codes mailed to one person, wherever they were asked for. */
const mostOfPerson = 10
const countMinutes = 60
const nobody = '00000000-0000-0000-0000-000000000000'

export const passwordRoutes = (services: UsersServices): RouteByHand[] => [
  route({
    method: 'GET',
    path: signInPages.beginForgotten,
    access: 'public',
    byHand: 'forgotten passwords: a redirect to the page for it, which may be of another site',
    handler: (ctx, { reply }) => {
      const elsewhere = ctx.settings.FORGOT_PASSWORD_URL
      return Promise.resolve(
        reply.redirect(/^https?:\/\//.test(elsewhere) ? elsewhere : signInPages.forgotten, 302),
      )
    },
  }),
  route({
    method: 'POST',
    path: signInPages.beginForgotten,
    access: 'public',
    records: { unrecorded: 'nothing is looked up yet' },
    byHand: 'forgotten passwords: a page',
    body: nameBody,
    handler: async (ctx, call) => {
      checkForm(call.request, call.body.csrfmiddlewaretoken)
      const isAsked = askedBeside(ctx.settings) === 'captcha'
      if (isAsked && !(await isRightCaptcha(ctx, services.secrets, call.request, call.body)))
        throw refusedAs('error', 400, 'captcha_failed')
      const until = Date.now() + forgotMinutes * 60_000
      const asked: Asked = { for: 'forgotten-password', username: call.body.username.trim(), until }
      return onwards(call, 'forgotten', services.secrets.seal(JSON.stringify(asked)))
    },
  }),
  route({
    method: 'POST',
    path: resetCodePath,
    access: 'public',
    records: { unrecorded: 'a code that is sent changes nothing' },
    byHand: 'forgotten passwords: its refusals have a shape of their own',
    body: codeBody,
    query: tokenQuery,
    handler: async (ctx, { body, query }) => {
      const { username } = askedBy(services, query.token)
      await atEvenPace(async () => {
        await checkOften(ctx)
        const person = await personOf(ctx, username, body.email)
        if (person !== undefined) await mailCode(services, ctx, person.id)
      })
      return { data: 'ok' }
    },
  }),
  route({
    method: 'POST',
    path: signInPages.forgotten,
    access: 'public',
    records: { unrecorded: 'what is set by the link is recorded' },
    byHand: 'forgotten passwords: a page',
    body: proofBody,
    query: tokenQuery,
    handler: async (ctx, call) => {
      const { request, body, query } = call
      checkForm(request, body.csrfmiddlewaretoken)
      const { username } = askedBy(services, query.token)
      const link = await atEvenPace(() => proven(services, ctx, username, body))
      if (link === undefined) throw refusedAs('error', 400, 'verify_code_wrong')
      return onwards(call, 'resetPassword', link)
    },
  }),
  route({
    method: 'POST',
    path: signInPages.resetPassword,
    access: 'public',
    records: 'changes',
    byHand: 'forgotten passwords: a page',
    body: passwordBody,
    query: tokenQuery,
    handler: async (ctx, call) => {
      checkForm(call.request, call.body.csrfmiddlewaretoken)
      return await setPassword(services, ctx, call.query.token, call.body)
    },
  }),
]

/** Scripts of our page are answered JSON; a form by a redirect. */
function onwards(
  { request, reply }: Pick<Call, 'request' | 'reply'>,
  step: 'forgotten' | 'resetPassword',
  token: string,
) {
  const next = page(step, token)
  return isForm(request) ? reply.redirect(next, 302) : { next }
}

interface Asked {
  for: 'forgotten-password'
  username: string
  until: number
}

/** @throws ApiError 400 when it is none of ours, or too old */
function askedBy({ secrets }: UsersServices, token: string): Asked {
  try {
    const asked = JSON.parse(secrets.unseal(token)) as Asked
    if (asked.for === 'forgotten-password' && asked.until > Date.now()) return asked
  } catch {
    // Refused below.
  }
  throw refusedAs('error', 400, 'reset_link_invalid')
}

async function atEvenPace<T>(work: () => Promise<T>): Promise<T> {
  const [result] = await Promise.all([work(), sleep(answerMs)])
  return result
}

/** @throws ApiError 400 when the address asked too often. Names are not counted: whoever knows one would lock its owner out. */
async function checkOften(ctx: Context): Promise<void> {
  if ((await countAsked(ctx.db, 'link_ip', networkOf(ctx.remoteAddr), countMinutes)) > mostOfAddress)
    throw refusedAs('error', 400, 'asked_too_often', { minutes: countMinutes })
}

/** Only what is mailed counts. Whoever asked does not hear of it when it was too much: only an account that exists has a count. */
async function mailCode({ notifications }: UsersServices, ctx: Context, userId: string): Promise<void> {
  if ((await askedBefore(ctx.db, 'link_user', userId)) >= mostOfPerson) return
  await withTransaction(ctx.db, async (tx) => {
    const waiting = await notifications.codes.send(ctx.within(tx), { userId, purpose: 'password' })
    if (waiting === undefined) await countAsked(tx, 'link_user', userId, countMinutes)
  })
}

async function personOf(ctx: Context, username: string, email: string) {
  const [person] = await ctx.db
    .select({ id: users.id })
    .from(users)
    .where(
      and(
        eq(users.username, username),
        sql`lower(${users.email}) = ${email.trim().toLowerCase()}`,
        eq(users.source, 'local'),
        eq(users.is_service_account, false),
        isValid,
      ),
    )
  return person
}

/** The token of a link to set a password, for the code that was mailed. Guesses count as those of passwords do. */
async function proven(
  services: UsersServices,
  ctx: Context,
  username: string,
  { email, code }: { email: string; code: string },
): Promise<string | undefined> {
  await checkOften(ctx)
  const person = await personOf(ctx, username, email)
  const userId = person?.id ?? nobody
  const verdict = await tryOnce(ctx.db, { username, ip: ctx.remoteAddr }, ctx.settings, () =>
    services.notifications.codes.check(ctx, { userId, purpose: 'password', code }),
  )
  if (verdict.is !== 'right' || person === undefined) return undefined
  const link = await makePasswordLink(ctx, person.id)
  return new URL(link, 'http://here.invalid').searchParams.get('token') ?? undefined
}

async function setPassword(
  services: UsersServices,
  ctx: Context,
  token: string,
  sent: { new_password: string; confirm_password: string },
) {
  const holder = await holderOfLink(ctx.db, token)
  if (holder === undefined) throw refusedAs('error', 400, 'reset_link_invalid')
  const [password = '', again = ''] = await services.secrets.openEnvelopes([
    sent.new_password,
    sent.confirm_password,
  ])
  if (password !== again) throw invalid('confirm_password', 'passwords_differ')
  // Whoever administers anything needs the administrators' kind of password.
  const isAdmin = (await services.rbac.offered(holder.id, 'console', ctx.language)).length > 0
  const rules = passwordRulesOf(ctx.settings, isAdmin)
  const chosen = await hashChosen(ctx, holder, password, isAdmin)
  if ('problem' in chosen) {
    const { key, params } = chosen.problem
    const sentence = translate(errors, ctx.language, key, params)
    return new Reply(400, {
      new_password: [sentence],
      ...(brokenRules(password, rules).length > 0 && { password_rules: rules }),
    })
  }
  await withTransaction(ctx.db, async (tx) => {
    const here = ctx.within(tx)
    const isStill = (await holderOfLink(tx, token)) !== undefined && (await useLink(tx, token))
    if (!isStill) throw refusedAs('error', 400, 'reset_link_invalid')
    await storePassword(here, holder, chosen.hash)
  })
  return { next: signInPages.signIn }
}
