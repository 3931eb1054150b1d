import { expect, test } from 'vitest'
import { parseLoginName } from './login-name.ts'

const id = '7d1c0000-0000-4000-8000-00000000000a'

test.each([
  ['ann', { kind: 'menu', username: 'ann' }],
  ['ann@example.com', { kind: 'menu', username: 'ann@example.com' }],
  [
    'ann@root@10.0.0.1',
    { kind: 'direct', username: 'ann', protocol: 'ssh', account: 'root', address: '10.0.0.1' },
  ],
  [
    'ann@mysql@app@db1',
    { kind: 'direct', username: 'ann', protocol: 'mysql', account: 'app', address: 'db1' },
  ],
  ['ann#root#web', { kind: 'direct', username: 'ann', protocol: 'ssh', account: 'root', address: 'web' }],
  [
    'ann@example.com#ssh#root#web',
    { kind: 'direct', username: 'ann@example.com', protocol: 'ssh', account: 'root', address: 'web' },
  ],
  [
    'ann@root@fe80::1',
    { kind: 'direct', username: 'ann', protocol: 'ssh', account: 'root', address: 'fe80::1' },
  ],
  [`JMS-${id}`, { kind: 'token', token_id: id }],
  ['JMS-1234', { kind: 'menu', username: 'JMS-1234' }],
  ['ann@@web', undefined],
  ['', undefined],
  ['a\u0000b', undefined],
  ['x'.repeat(600), undefined],
])('%s', (name, expected) => {
  expect(parseLoginName(name)).toEqual(expected)
})
