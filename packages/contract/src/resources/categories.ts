/** What kinds of asset there are and what each can do. */
import type { Constraints } from '../assets/constraints.ts'
import type { AssetType, Category } from '../assets/types.ts'
import { answer, onList, service } from '../resource/calls.ts'
import { type ReadsOf, text, value } from '../resource/field.ts'

/** A type of asset, with what its platforms can have and do. */
export interface AssetTypeRow {
  label: string
  value: AssetType
  category: Category
  constraints: Constraints | undefined
}

const assetCategory = { label: text(), value: text(), types: value<AssetTypeRow[]>() }
/** A category of assets with its types. */
export type AssetCategory = ReadsOf<typeof assetCategory>

const get = <const P extends string>(path: P) => ({ method: 'GET', path, access: 'public' }) as const

/** What kinds of asset there are and what each can do, told to anybody. */
export const AssetCategories = service({
  app: 'assets',
  model: 'category',
  path: 'assets/categories',
  calls: {
    list: onList({ ...get(''), answer: answer.list(assetCategory) }),
    types: onList({ ...get('types'), answer: answer.json<AssetTypeRow[]>() }),
    /** Of one type; empty for one there is not. */
    constraints: onList({
      ...get('constraints'),
      query: { category: text({ max: 32 }), type: text({ max: 32 }) },
      answer: answer.json<Partial<Constraints>>(),
    }),
  },
})
