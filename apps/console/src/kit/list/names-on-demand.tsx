import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import type { Row } from '../api/resource.ts'
import { describeError } from '../feedback/errors.ts'
import { type MessageKey, useKitText } from '../text.ts'
import { nameOf } from '../values/name-of.ts'
import { nothing } from '../values/plain-value.ts'

interface NamesOnDemandProps {
  /** What they are names of, as the key under which they are kept. */
  of: readonly string[]
  /** What the row is called. */
  name: string
  read: (signal: AbortSignal) => Promise<readonly { name: string }[]>
}

/** A cell with the names of what belongs to a row, looked up when they are asked for: for a whole list that would take long. */
function NamesOnDemand({ of, name, read }: NamesOnDemandProps) {
  const t = useKitText()
  const [isShown, setShown] = useState(false)
  const { data, error } = useQuery({
    queryKey: ['names', ...of],
    queryFn: ({ signal }) => read(signal),
    enabled: isShown,
  })
  if (error) return describeError(error, t)
  if (data && isShown) return data.map((one) => one.name).join(', ') || nothing
  return (
    <Button
      type="link"
      size="small"
      style={{ padding: 0 }}
      loading={isShown}
      aria-label={`${t('show')}: ${name}`}
      onClick={() => setShown(true)}
    >
      {t('show')}
    </Button>
  )
}

/** A column of names of what belongs to each row, for `who`, looked up where they are asked for. */
export const namesOnDemand = (
  label: MessageKey,
  who: string,
  read: (row: string, signal: AbortSignal) => Promise<readonly { name: string }[]>,
) => ({
  label,
  wrap: true,
  render: (row: Row) => (
    <NamesOnDemand
      of={[label, String(row.id), who]}
      name={nameOf(row)}
      read={(signal) => read(String(row.id), signal)}
    />
  ),
})
