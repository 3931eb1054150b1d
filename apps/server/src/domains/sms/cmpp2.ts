/** China Mobile Point to Point 2.0: a connection to a gateway, one text, and good-bye. */
import net from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from '../../kernel/failure.ts'
import {
  answerTo,
  commands,
  connectBody,
  encode,
  type Message,
  messagesOf,
  NoMessage,
  readConnectAnswer,
  readSubmitAnswer,
  submitBody,
  timestampOf,
} from './cmpp2-wire.ts'
import { digitsOf, insideChina, refusedBy, type SendSms, SmsFailure } from './sms.ts'

export interface Cmpp2Set {
  host: string
  port: number
  spId: string
  secret: string
  source: string
  serviceId: string
  signName: string
  /** With `{code}` in it. */
  template: string
}

const byeMs = 1000
/** Too much at once: another try may do better. */
const passingResult = 8

export const cmpp2 =
  (set: Cmpp2Set): SendSms =>
  async ({ phone, code }, ends) => {
    const socket = net.connect({ host: set.host, port: set.port, signal: ends })
    // Who reads is told of errors as well; those that come when nobody reads are of no use.
    socket.on('error', () => {})
    try {
      await converse(socket, set, {
        phone: insideChina(phone) ?? digitsOf(phone),
        text: `【${set.signName}】${set.template.replaceAll('{code}', code)}`,
      })
    } catch (error) {
      if (error instanceof SmsFailure) throw error
      if (error instanceof NoMessage) throw new SmsFailure('sms_answer_unknown', { cause: error })
      if (ends.aborted) throw new SmsFailure('sms_too_late', { cause: error })
      throw new SmsFailure('sms_unreachable', { params: { code: codeOf(error) ?? '-' }, cause: error })
    } finally {
      socket.destroy()
    }
  }

async function converse(
  socket: net.Socket,
  { spId, secret, source, serviceId }: Cmpp2Set,
  { phone, text }: { phone: string; text: string },
): Promise<void> {
  const incoming = messagesOf(socket)
  let last = 0
  const say = (command: number, body: Buffer): number => {
    last += 1
    socket.write(encode({ command, sequence: last, body }))
    return last
  }
  const ask = (command: number, body: Buffer) => answered(socket, incoming, command, say(command, body))

  const { body, authenticator } = connectBody(spId, secret, timestampOf(new Date()))
  const entered = readConnectAnswer(await ask(commands.connect, body), authenticator, secret)
  if (entered === undefined) throw new SmsFailure('sms_answer_unknown')
  // Above 4 it is no fault of what was said: connected too often, or busy.
  if (entered.status !== 0) throw refusedBy({ code: `CONNECT_${entered.status}` }, entered.status <= 4)
  // Codes are for nobody who does not share the secret.
  if (!entered.isProven) throw new SmsFailure('sms_gateway_unproven', { isFinal: true })

  const taken = readSubmitAnswer(
    await ask(commands.submit, submitBody({ spId, serviceId, source, phone, text })),
  )
  if (taken === undefined) throw new SmsFailure('sms_answer_unknown')
  if (taken !== 0) throw refusedBy({ code: `SUBMIT_${taken}` }, taken !== passingResult)
  // It was taken, whatever becomes of the good-bye.
  await Promise.race([ask(commands.terminate, Buffer.alloc(0)).catch(() => {}), sleep(byeMs)])
}

/** Waits for one answer; what a gateway says in between is answered as far as it wants to know whether anybody is there. */
async function answered(
  socket: net.Socket,
  incoming: AsyncGenerator<Message, undefined>,
  command: number,
  sequence: number,
): Promise<Buffer> {
  for (;;) {
    const { value: message } = await incoming.next()
    if (message === undefined) throw new SmsFailure('sms_unreachable', { params: { code: 'ECONNRESET' } })
    if (message.command === answerTo(command) && message.sequence === sequence) return message.body
    if (message.command === commands.activeTest)
      socket.write(
        encode({
          command: answerTo(commands.activeTest),
          sequence: message.sequence,
          body: Buffer.alloc(1),
        }),
      )
  }
}
