import type { RowControl } from '../../../kit/form/widgets/object-rows.tsx'
import { lazyPart } from '../../../kit/loading/lazy-part.tsx'
import type { WidgetProps } from '../../../kit/form/form-spec.ts'
import type { FormValues } from '../../../kit/form/paths.ts'
import { useMessages } from '../../../kit/text.ts'

const ObjectRows = lazyPart(() => import('../../../kit/form/widgets/object-rows.tsx'))

export interface OfferedProtocol {
  name: string
  port: number
  /** Cannot be left out. */
  fixed: boolean
}

/** Protocols and their ports, a line each. A protocol is offered once; what the platform needs cannot be removed. */
export function ProtocolRows({
  offered,
  ...props
}: WidgetProps & { offered: readonly OfferedProtocol[]; rowControl?: RowControl }) {
  const { field, value } = props
  const text = useMessages()
  const rows: readonly FormValues[] = Array.isArray(value) ? value : []
  const unused = offered.filter(({ name }) => !rows.some((row) => row['name'] === name))
  const offerOf = (name: unknown) => offered.find((one) => one.name === name)
  const isFixed = (row: FormValues) => offerOf(row['name'])?.fixed === true
  const [next] = unused
  return (
    <ObjectRows
      {...props}
      columnsOf={(row) =>
        (field.columns ?? []).map((column) =>
          column.name === 'name'
            ? {
                ...column,
                widget: 'select',
                disabled: isFixed(row),
                choices: [String(row['name']), ...unused.map(({ name }) => name)].map((name) => ({
                  value: name,
                  label: name,
                })),
                consequences: (name) => ({ port: offerOf(name)?.port }),
              }
            : column,
        )
      }
      isFixed={isFixed}
      next={next && { name: next.name, port: next.port }}
      addText={text('console:addProtocol')}
      removeText={(row) => text('console:removeProtocol', { name: String(row['name']) })}
    />
  )
}
