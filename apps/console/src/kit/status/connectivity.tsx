import type { ReactNode } from 'react'
import { Time } from '../dates/time.tsx'
import { useKitText } from '../text.ts'
import { Explained } from '../values/explained.tsx'
import { plainValue } from '../values/plain-value.ts'
import { StatusTag } from './status-tag.tsx'
import { toneOf } from './tones.ts'

interface Tested {
  connectivity: unknown
  connectivity_reason?: string
  date_verified?: string | null
}

/** Whether something could be reached when it was last tried; when that was, and why not, beside it on the pointer or the focus. */
export function Connectivity({ row }: { row: Tested }): ReactNode {
  const t = useKitText()
  const { connectivity, connectivity_reason: reason, date_verified: date } = row
  const tag = (
    <StatusTag tone={toneOf('connectivity', connectivity) ?? 'neutral'}>
      {plainValue(connectivity, t)}
    </StatusTag>
  )
  if (!reason && !date) return tag
  return (
    <Explained
      label={[plainValue(connectivity, t), reason].filter(Boolean).join(': ')}
      title={
        <>
          {reason && <div>{reason}</div>}
          {date && (
            <div>
              <Time value={date} />
            </div>
          )}
        </>
      }
    >
      {tag}
    </Explained>
  )
}

/** The cell of lists, and the value on details. */
export const connectivityCell = { render: (row: Tested) => <Connectivity row={row} /> }
