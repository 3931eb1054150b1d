import type { Asset } from '@sallyport/contract/resources/assets'
import { isRecord } from '../../../kit/api/errors.ts'
import { useMetadata } from '../../../kit/api/hooks.ts'
import { listPath } from '../../../kit/api/resource.ts'
import { Card } from '../../../kit/detail/card.tsx'
import { Lines } from '../../../kit/detail/lines.tsx'
import { useKitText, useMessages } from '../../../kit/text.ts'
import { plainValue } from '../../../kit/values/plain-value.ts'
import { categories } from './categories.ts'

/** What only assets of its category have; the steps of a script are read in its form. */
export default function SpecificCard({ asset }: { asset: Asset }) {
  const t = useKitText()
  const text = useMessages()
  const resource = categories.find(({ category }) => category === asset.category.value)?.resource
  const metas = useMetadata(listPath(resource?.path ?? '')).data?.actions?.GET ?? {}
  const { script: _script, ...specifics } = isRecord(asset.spec_info) ? asset.spec_info : {}
  return (
    <Card title={text('console:specific')}>
      <Lines
        lines={Object.entries(specifics).map(([name, value]) => {
          const meta = metas[name]
          const choice = meta?.choices?.find((one) => one.value === value)
          return { key: name, label: meta?.label ?? name, value: plainValue(choice ?? value, t) }
        })}
      />
    </Card>
  )
}
