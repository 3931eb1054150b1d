import { expect, it } from 'vitest'
import { AssetPermission, HostKey, Licence, OperateLog, User } from '../resources/index.ts'
import { labelOf } from '../resource/metadata.ts'
import type { Resource } from '../resource/resource.ts'
import { catalogue, merge, together } from './language.ts'

it('does not compile where two areas call different things by the same key', () => {
  const accounts = catalogue({ en: { valid: 'Account' }, zh: { valid: '账号' }, ja: { valid: '口座' } })
  const grants = catalogue({ en: { valid: 'Grant' }, zh: { valid: '授权' }, ja: { valid: '権限' } })
  const nodes = catalogue({ en: { path: 'Path' }, zh: { path: '路径' }, ja: { path: 'パス' } })
  expect(merge(accounts, nodes).en).toEqual({ valid: 'Account', path: 'Path' })
  // @ts-expect-error `valid` is there twice
  merge(accounts, nodes, grants)
  expect(together(accounts.en, nodes.en, { other: 'Other' }).other).toBe('Other')
  // @ts-expect-error `path` is there twice
  together(accounts.en, nodes.en, { path: 'Way' })
})

it.each([
  ['the validity of a permission is not that of an account', AssetPermission, 'is_valid', '是否有效'],
  ['nor the other way round', User, 'is_valid', '账号是否有效'],
  ['the key of a host is no name of a label', HostKey, 'key', '密钥'],
  ['a licence is for so many assets, and does not count them', Licence, 'asset_count', '资产数量上限'],
  ['what happened is no total', OperateLog, 'summary', '事件'],
] as [string, Resource, string, string][])('%s', (_what, of, name, label) => {
  const field = of.fields[name]
  expect(field && labelOf(of, name, field, 'zh')).toBe(label)
})
