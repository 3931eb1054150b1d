import { isCron, scheduleZone } from '@sallyport/contract/cron'
import { ClockCircleOutlined } from '@ant-design/icons'
import { Button } from 'antd'
import { Suspense, useState } from 'react'
import { lazyPart } from '../../../loading/lazy-part.tsx'
import { useKitText } from '../../../text.ts'
import type { WidgetProps } from '../../form-spec.ts'
import styles from '../../form.module.css'
import { TextWidget } from '../texts.tsx'
import { NextTimes } from './next-times.tsx'

const CronDialog = lazyPart(() => import('./cron-dialog.tsx'))
const nightly = '0 2 * * *'

/** A schedule, typed or put together in a dialog, and when it comes next in the person's own time. */
export default function CronWidget(props: WidgetProps) {
  const t = useKitText()
  const [isOpen, setOpen] = useState(false)
  const { id, value, disabled, onChange, describedBy } = props
  const schedule = typeof value === 'string' ? value : ''
  const described = [describedBy, `${id}-parts`].filter(Boolean).join(' ')
  return (
    <>
      <div className={styles.beside}>
        <TextWidget
          {...props}
          describedBy={described}
          field={{ ...props.field, placeholder: props.field.placeholder ?? nightly }}
        />
        <Button icon={<ClockCircleOutlined aria-hidden />} disabled={disabled} onClick={() => setOpen(true)}>
          {t('cronChoose')}
        </Button>
      </div>
      <div id={`${id}-parts`} className={styles.help}>
        {t('cronParts', { zone: scheduleZone })}
      </div>
      <NextTimes schedule={schedule} />
      {isOpen && (
        <Suspense>
          <CronDialog
            schedule={isCron(schedule) ? schedule.trim() : undefined}
            onConfirm={(chosen) => {
              onChange(chosen)
              setOpen(false)
            }}
            onClose={() => setOpen(false)}
          />
        </Suspense>
      )}
    </>
  )
}
