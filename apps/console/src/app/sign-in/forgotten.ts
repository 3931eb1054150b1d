/** The steps by which a forgotten password is replaced. Each rejects with ApiError. */
import { resetCodePath, signInPages } from '@sallyport/contract/addresses'
import { api } from '../../kit/api/client.ts'
import { csrfToken } from '../../kit/api/cookies.ts'
import { sealSecret } from '../../kit/secrets/secrets.ts'
import type { BesideAnswer } from './beside-field.tsx'

export interface Mailbox {
  username: string
  email: string
}
const of = (email: string) => ({ form_type: 'email', email: email.trim() })
const tokenIn = (address: string) => new URL(address, location.origin).searchParams.get('token') ?? ''

/** Answers what goes with everything that is asked for after it. */
export async function beginForgotten(username: string, captcha: BesideAnswer): Promise<string> {
  if (csrfToken() === undefined) await api.raw(signInPages.signIn)
  const body = { username: username.trim(), ...captcha }
  const { next } = await api.post<{ next: string }>(signInPages.beginForgotten, body)
  return tokenIn(next)
}

/** Has a code mailed. The server says the same whether there is such an account or not. */
export async function askForCode(token: string, email: string): Promise<void> {
  await api.post(resetCodePath, of(email), { query: { token } })
}

/** Shows the code; answers what a password is set by. */
export async function showCode(token: string, email: string, code: string): Promise<string> {
  const body = { ...of(email), code: code.trim() }
  const { next } = await api.post<{ next: string }>(signInPages.forgotten, body, { query: { token } })
  return tokenIn(next)
}

export async function setPassword(token: string, password: string, again: string): Promise<void> {
  if (csrfToken() === undefined) await api.raw(signInPages.signIn)
  const body = { new_password: await sealSecret(password), confirm_password: await sealSecret(again) }
  await api.post(signInPages.resetPassword, body, { query: { token } })
}
