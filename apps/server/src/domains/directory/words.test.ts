import { expect, test } from 'vitest'
import { addressOf } from './connection.ts'
import { filterOf, filterOfAll, isFilter } from './filter.ts'
import { cnOf } from './person.ts'

test.each([
  ['ann', '(uid=ann)'],
  ['*)(uid=*', '(uid=\\2a\\29\\28uid=\\2a)'],
  ['a\\b\0c', '(uid=a\\5cb\\00c)'],
  ['$&', '(uid=$&)'],
  ['安', '(uid=安)'],
])('a username means only itself in a filter: %j', (username, filter) => {
  expect(filterOf('(uid=%(user)s)', username)).toBe(filter)
})

test('a filter has a place for the username, which stands for everybody where people are listed', () => {
  const both = '(|(uid=%(user)s)(mail=%(user)s))'
  expect(filterOf(both, '*')).toBe('(|(uid=\\2a)(mail=\\2a))')
  expect(filterOfAll(both)).toBe('(|(uid=*)(mail=*))')
  expect(['(uid=ann)', '%(user)s', '(uid=%(user)s', '', both].map((one) => isFilter(one))).toEqual([
    false,
    false,
    false,
    false,
    true,
  ])
})

test.each([
  ['cn=Ops,ou=groups,dc=example,dc=com', 'Ops'],
  ['CN=Night\\, shift,OU=x', 'Night, shift'],
  ['cn=\\E5\\AE\\89,dc=x', '安'],
  ['cn=One+ou=two,dc=x', 'One'],
  ['Ops', 'Ops'],
])('a group is called by the name in front: %s', (dn, name) => {
  expect(cnOf(dn)).toBe(name)
})

test('the address of a directory is a host and a port, and nothing else', () => {
  expect(addressOf('ldap://host')).toEqual({ host: 'host', port: 389, isSecure: false })
  expect(addressOf('ldaps://[::1]:1636/')).toEqual({ host: '::1', port: 1636, isSecure: true })
  for (const url of [
    'host',
    'http://host',
    'ldap://',
    'ldap://a:b@host',
    'ldap://host/dc=x',
    'ldapi://x',
    'ldap://host?x',
  ])
    expect(addressOf(url)).toBeUndefined()
})
