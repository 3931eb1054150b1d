import { AssetCategories } from '@sallyport/contract/resources/categories'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { call } from '../../../kit/api/call.ts'
import type { WidgetProps } from '../../../kit/form/form-spec.ts'
import type { FormValues } from '../../../kit/form/paths.ts'
import { isEmpty } from '../../../kit/form/rules.ts'
import { useFieldValue } from '../../../kit/form/use-form.ts'
import type { RowControl } from '../../../kit/form/widgets/object-rows.tsx'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import { useKitText } from '../../../kit/text.ts'
import { plainValue } from '../../../kit/values/plain-value.ts'
import { type OfferedProtocol, ProtocolRows } from './protocol-rows.tsx'
import { SettingsButton } from './settings-button.tsx'

const PlatformProtocolDialog = lazyPart(() => import('./platform-protocol-dialog.tsx'))

/** What the protocols of a kind of platform can be. */
function useOfferedProtocols(category: string, type: string): OfferedProtocol[] {
  const { data } = useQuery({
    queryKey: ['constraints', category, type],
    queryFn: ({ signal }) => call(AssetCategories, 'constraints', { query: { category, type } }, { signal }),
    staleTime: Infinity,
  })
  return (data?.protocols ?? []).map(({ name, port, primary }) => ({ name, port, fixed: primary === true }))
}

/** The protocols a platform offers, and which of them every asset has or begins with. */
export default function PlatformProtocols(props: WidgetProps) {
  const t = useKitText()
  const category = useFieldValue(props.form, 'category')
  const type = useFieldValue(props.form, 'type')
  const offered = useOfferedProtocols(plainValue(category, t), plainValue(type, t))
  // A new platform begins with the protocol it cannot do without.
  const needed = offered.filter(({ fixed }) => fixed).map(({ name, port }) => ({ name, port }))
  const [shown, setShown] = useState<{ row: FormValues; replace: (row: FormValues) => void }>()
  const settings: RowControl = (row, replace) => (
    <SettingsButton
      name={String(row['name'])}
      disabled={props.disabled}
      onClick={() => setShown({ row, replace })}
    />
  )
  return (
    <>
      <ProtocolRows
        {...props}
        value={isEmpty(props.value) ? needed : props.value}
        offered={offered}
        rowControl={settings}
      />
      {shown && (
        <Suspense>
          <PlatformProtocolDialog
            protocol={shown.row}
            onChange={shown.replace}
            onClose={() => setShown(undefined)}
          />
        </Suspense>
      )}
    </>
  )
}
