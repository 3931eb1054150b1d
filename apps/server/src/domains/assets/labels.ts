/** Labels: a name and a value that assets carry. */
import { Label } from '@sallyport/contract'
import { sql } from 'drizzle-orm'
import { serve, type Through } from '../../kernel/resource/binding.ts'
import { org } from '../../kernel/resource/rows.ts'
import { assetRelation } from './reading.ts'
import { assetLabels, labels } from './tables.ts'

const assetsOfLabel: Through = {
  link: assetLabels,
  from: assetLabels.label_id,
  to: assetLabels.asset_id,
  target: assetRelation,
}
export const labelServed = serve(Label, {
  table: labels,
  rows: org(labels.org_id),
  relations: { assets: assetsOfLabel },
  computed: {
    asset_count: sql`(select count(*)::integer from ${assetLabels} where ${assetLabels.label_id} = ${labels.id})`,
  },
})
