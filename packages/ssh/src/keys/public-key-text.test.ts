import { execFileSync } from 'node:child_process'
import { afterAll, expect, test } from 'vitest'
import { Keygen } from '../testing/keygen.ts'
import { md5FingerprintOf } from './fingerprint.ts'
import { KeyError } from './key.ts'
import { formatPublicKeyLine, parsePublicKeyFile, parsePublicKeyLine } from './public-key-text.ts'

const keygen = new Keygen()
afterAll(() => keygen.dispose())
const { publicLine, blob } = keygen.generate('key', '-t', 'ed25519')

test('a line of ssh-keygen gives its key and comment, and is written again', () => {
  const { key, comment, options } = parsePublicKeyLine(`  ${publicLine}\r\n`)
  expect({ blob: key.blob, comment, options }).toEqual({ blob, comment: 'comment of key', options: [] })
  expect(formatPublicKeyLine(key, comment)).toBe(publicLine)
  expect(parsePublicKeyLine(publicLine.split(' ').slice(0, 2).join(' ')).comment).toBe('')
  expect(keygen.run('-l', '-E', 'md5', '-f', 'key.pub')).toContain(` MD5:${md5FingerprintOf(blob)} `)
})

test('options before the key are kept apart', () => {
  const written = String.raw`from="192.0.2.0/24,2001:db8::1",no-pty,command="say \"a, b\"",environment="A=ssh-rsa B"`
  const { key, options } = parsePublicKeyLine(`${written}  ${publicLine}`)
  expect(key.blob).toEqual(blob)
  expect(options).toEqual([
    'from="192.0.2.0/24,2001:db8::1"',
    'no-pty',
    String.raw`command="say \"a, b\""`,
    'environment="A=ssh-rsa B"',
  ])
})

test.each([
  ['nothing', ''],
  ['a comment', '# a comment'],
  ['two lines', `${publicLine}\n${publicLine}`],
  ['another type', publicLine.replace('ssh-ed25519', 'ssh-rsa')],
  ['a key that is cut off', publicLine.slice(0, 60)],
  ['a key with something behind it', publicLine.replace(/ comment/, 'AAAA comment')],
  ['an option without its end', `command="x ${publicLine}`],
  ['options without a key', 'no-pty'],
  ['too much', `${publicLine}${'x'.repeat(20_000)}`],
])('%s is no key', (_what, line) => {
  expect(() => parsePublicKeyLine(line)).toThrow(KeyError)
})

test('a key that is too weak is said to be that, with options or without', () => {
  const line = keygen.generate('short', '-t', 'rsa', '-b', '1024').publicLine
  for (const text of [line, `no-pty ${line}`])
    expect(() => parsePublicKeyLine(text)).toThrow(expect.objectContaining({ problem: 'weak' }))
  expect(parsePublicKeyLine(line, { legacy: true }).comment).toBe('comment of short')
})

test('a file of RFC 4716 is read as ssh-keygen and puttygen write it', () => {
  const exported = keygen.run('-e', '-f', 'key.pub')
  expect(parsePublicKeyFile(exported).blob).toEqual(blob)
  expect(parsePublicKeyFile(exported.replaceAll('\n', '\r\n')).blob).toEqual(blob)
  const long = exported.replace(
    /^Comment.*$/m,
    'Subject: me\nComment: "one line \\\nand: another \\\nand the last"',
  )
  expect(parsePublicKeyFile(long).blob).toEqual(blob)
  const args = ['key', '-O', 'public', '-o', 'key.rfc']
  execFileSync('puttygen', args, { cwd: keygen.folder })
  expect(parsePublicKeyFile(keygen.read('key.rfc')).blob).toEqual(blob)
  for (const text of ['', publicLine, exported.slice(0, -20), exported.replace('AAAA', '!AAA')])
    expect(() => parsePublicKeyFile(text)).toThrow(KeyError)
})
