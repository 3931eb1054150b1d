import { TargetError } from '../../targets/ssh/errors.ts'
import type { Way } from '../way.ts'
import { Conversation } from './conversation.ts'
import type { Database } from './database.ts'

const lineMaxBytes = 1024

const command = (...words: string[]) =>
  Buffer.from(
    `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`,
  )

/** Signs in, with a name where there is one (Redis 6), and asks for a sign of life. Throws a TargetError, or what broke the connection. */
export async function probeRedis(database: Database, way: Way): Promise<void> {
  const { username, secret, tls } = database
  const talk = await Conversation.begin(way, database, 'Redis')
  const answerTo = async (...words: string[]) => {
    talk.write(command(...words))
    const line = await talk.readLine(lineMaxBytes)
    if (!/^[+-]/.test(line)) throw talk.strange()
    return line
  }
  try {
    if (tls) await talk.encrypt(tls)
    const { where } = talk
    const answer = await answerTo('AUTH', ...(username === '' ? [] : [username]), secret)
    if (/^-(WRONGPASS|ERR invalid password)/.test(answer))
      throw new TargetError('target_auth_failed', `${where} refused the password`, { where })
    const alive = answer.startsWith('-') ? answer : await answerTo('PING')
    if (!alive.startsWith('-')) return
    const said = alive.slice(1, 200)
    throw new TargetError('target_refused_sign_in', `${where}: ${said}`, { where, said })
  } finally {
    talk.end()
  }
}
