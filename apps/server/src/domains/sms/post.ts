/** A request to a provider by HTTP, with an end to every wait and a bound to its answer. */
import { codeOf } from '../../kernel/failure.ts'
import { SmsFailure } from './sms.ts'

const mostBytes = 64 * 1024

/**
 * @returns the object its answer is, whatever its status
 * @throws SmsFailure
 */
export async function post(
  url: URL,
  { headers, body, ends }: { headers: Record<string, string>; body: string; ends: AbortSignal },
): Promise<Record<string, unknown>> {
  let text: string
  try {
    // What is sent is for this address: who is sent on elsewhere has not been answered.
    const answer = await fetch(url, { method: 'POST', headers, body, signal: ends, redirect: 'error' })
    text = await read(answer)
  } catch (error) {
    if (error instanceof SmsFailure) throw error
    if (ends.aborted) throw new SmsFailure('sms_too_late', { cause: error })
    const code = codeOf(error) ?? codeOf((error as Error).cause) ?? '-'
    throw new SmsFailure('sms_unreachable', { params: { code }, cause: error })
  }
  const said = parse(text)
  if (typeof said !== 'object' || said === null || Array.isArray(said))
    throw new SmsFailure('sms_answer_unknown')
  return said as Record<string, unknown>
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function read(answer: Response): Promise<string> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of answer.body ?? []) {
    size += piece.length
    // Leaving the loop ends the connection.
    if (size > mostBytes) throw new SmsFailure('sms_answer_unknown')
    pieces.push(piece)
  }
  return Buffer.concat(pieces).toString()
}
