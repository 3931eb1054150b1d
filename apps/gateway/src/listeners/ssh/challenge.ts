import { setTimeout as sleep } from 'node:timers/promises'
import type { Language } from '@sallyport/contract/messages/language'
import type { Login } from './services.ts'
import { say } from './text.ts'

/** Asks the person one question by keyboard-interactive. Rejects when they are gone. */
export type Ask = (title: string, prompt: string, options: { echo: boolean }) => Promise<string>

const MAX_ANSWERS = 3
const CONFIRM_EVERY_MS = 5_000
const CONFIRM_MS = 10 * 60_000

/** MFA: the kind, when there are several, then the code. True when it was right. */
export async function askMfa(
  login: Login,
  choices: string[],
  ask: Ask,
  language: Language,
): Promise<boolean> {
  const type = choices.length > 1 ? await chooseMfa(choices, ask, language) : choices[0]
  if (type === undefined) return false
  await login.selectMfa(type)
  let title = say(language, 'mfa_title')
  for (let answers = 0; answers < MAX_ANSWERS;) {
    const code = (
      await ask(title, say(language, 'mfa_code', { type: type.toUpperCase() }), { echo: false })
    ).trim()
    answers++
    if (code === '') continue
    const answer = await login.answerMfa(type, code)
    if (answer === true) return true
    title = answer.message || say(language, 'mfa_wrong')
  }
  return false
}

async function chooseMfa(choices: string[], ask: Ask, language: Language): Promise<string | undefined> {
  const list = choices.map((choice, index) => `${index + 1}. ${choice.toUpperCase()}`).join('  ')
  for (let answers = 0; answers < MAX_ANSWERS; answers++) {
    const answer = await ask(`${say(language, 'mfa_choose')}: ${list}`, say(language, 'mfa_option'), {
      echo: true,
    })
    const choice =
      choices[Number(answer.trim()) - 1] ?? choices.find((name) => name === answer.trim().toLowerCase())
    if (choice !== undefined) return choice
  }
  return undefined
}

/** Waits for an administrator, when the person wants to. True when the login was confirmed; `signal`: they are gone. */
export async function askConfirmation(
  login: Login,
  ask: Ask,
  language: Language,
  extend: (ms: number) => void,
  signal: AbortSignal,
): Promise<boolean> {
  let isDecided = false
  try {
    const answer = await ask(say(language, 'confirm_title'), say(language, 'confirm_question'), {
      echo: true,
    })
    if (/^n/i.test(answer.trim())) return false
    extend(CONFIRM_MS + CONFIRM_EVERY_MS)
    for (let waitedMs = 0; waitedMs < CONFIRM_MS; waitedMs += CONFIRM_EVERY_MS) {
      const status = await login.confirmStatus()
      if (status !== 'waiting') {
        isDecided = true
        return status === 'approved'
      }
      await sleep(CONFIRM_EVERY_MS, undefined, { signal })
    }
    return false
  } finally {
    if (!isDecided) await login.abandon()
  }
}
