/** Public keys as people keep them: lines of `.pub` and authorized_keys files, and the files of RFC 4716. */
import { fromBase64 } from './armour.ts'
import { KeyError, readingKey } from './key.ts'
import type { KeyOptions, PublicKey } from './key.ts'
import { parsePublicKey } from './public-key.ts'

export interface PublicKeyLine {
  key: PublicKey
  comment: string
  /** Of authorized_keys, as they are before the key: `no-pty`, `from="192.0.2.0/24"`. They are not interpreted. */
  options: string[]
}

const maxChars = 16_384
/** Of sshd(8): names, some with a value in quotation marks, in which a backslash keeps one from ending it. */
const option = /^[A-Za-z0-9-]+(?:="(?:[^"\\]|\\.)*")?/

/**
 * A line `options type key comment`; options and comment need not be there.
 * @throws KeyError
 */
export function parsePublicKeyLine(line: string, options?: KeyOptions): PublicKeyLine {
  const text = line.trim()
  if (text.length > maxChars || /[\r\n]/.test(text))
    throw new KeyError('malformed', 'The key is no single line')
  // A key in base64 begins with the length of its type, which is short.
  const found = /^(\S+)[ \t]+AAAA/.test(text) ? undefined : readOptions(text)
  return { options: found?.options ?? [], ...parseFields(found?.rest ?? text, options) }
}

function parseFields(text: string, options?: KeyOptions): Pick<PublicKeyLine, 'key' | 'comment'> {
  const [, type, body = '', comment = ''] = /^(\S+)[ \t]+(\S+)(?:[ \t]+(.*))?$/.exec(text) ?? []
  const blob = fromBase64(body)
  if (!blob) throw new KeyError('malformed', 'The key is not base64')
  const key = parsePublicKey(blob, options)
  if (key.type !== type) throw new KeyError('malformed', 'The line names another type than the key')
  return { key, comment }
}

function readOptions(text: string): { options: string[]; rest: string } | undefined {
  const options: string[] = []
  for (let rest = text; ;) {
    const [found] = option.exec(rest) ?? []
    if (found === undefined) return undefined
    options.push(found)
    rest = rest.slice(found.length)
    if (/^[ \t]/.test(rest)) return { options, rest: rest.trimStart() }
    if (!rest.startsWith(',')) return undefined
    rest = rest.slice(1)
  }
}

export const formatPublicKeyLine = ({ type, blob }: PublicKey, comment = ''): string =>
  `${type} ${blob.toString('base64')}${comment === '' ? '' : ` ${comment}`}`

/**
 * RFC 4716, as `ssh-keygen -e` and PuTTY write it.
 * @throws KeyError
 */
export const parsePublicKeyFile = (text: string, options?: KeyOptions): PublicKey =>
  readingKey(() => {
    const [, content] =
      /^\s*---- BEGIN SSH2 PUBLIC KEY ----\r?\n([\s\S]*?)\r?\n---- END SSH2 PUBLIC KEY ----\s*$/.exec(
        text.length > maxChars ? '' : text,
      ) ?? []
    // A header is `Tag: value`, with a backslash at the end of each of its lines but the last.
    const body = content?.replaceAll(/^[^\s:]{1,64}: (?:.*\\\r?\n)*.*\r?\n/gm, '')
    const blob = body === undefined ? undefined : fromBase64(body)
    if (!blob) throw new KeyError('malformed', 'There is no public key')
    return parsePublicKey(blob, options)
  })
