/** What the directory says of somebody, made fit to be kept and shown: everything behind this takes it as it is. */
import type { Entry } from 'ldapts'
import { inOneLine } from '../../kernel/one-line.ts'
import { type FoundPerson, groupPrefix } from '../users/index.ts'

const mostChars = 128
const mostGroups = 500
const mostOfDn = 4096

/** As long as a name may be. Control characters would hide in a list, and null is in no text of the database. */
const line = (text: string, most = mostChars) => inOneLine(text, most)

function valuesOf(entry: Entry, name: string | undefined): string[] {
  if (name === undefined) return []
  const own = Object.keys(entry).find((key) => key.toLowerCase() === name.toLowerCase())
  const value = own === undefined ? undefined : entry[own]
  return (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')
}

/** What tells people apart: changed to fit it would be somebody else's, and is none. */
const exact = (text: string) => (line(text) === text.trim() ? text.trim() : '')

/** @param names attributes there, by what they are here @returns without a username where nobody here could have it */
export function personOf(names: Readonly<Record<string, string>>, entry: Entry): FoundPerson {
  const first = (name: string) => valuesOf(entry, names[name])[0] ?? ''
  const username = exact(first('username'))
  const groups = valuesOf(entry, names['groups']).map((dn) =>
    line(cnOf(dn.slice(0, mostOfDn)), mostChars - groupPrefix.length),
  )
  return {
    username,
    name: line(first('name')) || username,
    email: exact(first('email')),
    ...(names['groups'] !== undefined && {
      groups: [...new Set(groups)].filter((group) => group !== '').slice(0, mostGroups),
    }),
  }
}

/** The name in front of a distinguished name (`CN=Night\, shift,OU=…`), or the text itself where it is none (RFC 4514). */
export function cnOf(dn: string): string {
  const named = /^\s*[\w.-]+\s*=\s*((?:\\[^]|[^\\,+])*)/.exec(dn)?.[1]
  if (named === undefined) return dn.trim()
  const bytes = named.replaceAll(/(?:\\[0-9a-f]{2})+/gi, (run) =>
    Buffer.from(run.replaceAll('\\', ''), 'hex').toString(),
  )
  return bytes.replaceAll(/\\([^])/g, '$1').trim()
}
