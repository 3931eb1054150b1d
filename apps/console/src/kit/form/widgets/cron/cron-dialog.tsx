import { type CronPart, cronParts, isCron, isCronPart, scheduleZone } from '@sallyport/contract/cron'
import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { Dialog } from '../../../dialog/dialog.tsx'
import { TabStrip } from '../../../tabs/tab-strip.tsx'
import { useKitText } from '../../../text.ts'
import styles from './cron.module.css'
import { CronPartChoice } from './cron-part-choice.tsx'
import { stepProblem } from './part-choice.ts'
import { NextTimes } from './next-times.tsx'

interface CronDialogProps {
  /** Left out: it begins at midnight of every day. */
  schedule: string | undefined
  onConfirm: (schedule: string) => void
  onClose: () => void
}

const midnight = '0 0 * * *'
const texts = {
  minute: 'cronMinute',
  hour: 'cronHour',
  day: 'cronDay',
  month: 'cronMonth',
  week: 'cronWeek',
} as const
const widthPx = 580

/** A schedule part by part: how often each of them is, what comes of it, and when that is. */
export default function CronDialog({ schedule = midnight, onConfirm, onClose }: CronDialogProps) {
  const t = useKitText()
  const id = useId()
  const [parts, setParts] = useState(() => schedule.split(/\s+/u))
  const [shown, setShown] = useState<string>(cronParts[0].name)
  const made = parts.join(' ')
  const isWrong = (part: CronPart, index: number) => {
    const text = parts[index] ?? ''
    return !isCronPart(text, part) || stepProblem(text, part, t) !== undefined
  }
  const isMade = isCron(made) && !cronParts.some(isWrong)
  const at = cronParts.findIndex(({ name }) => name === shown)
  const part = cronParts[at]
  const write = (index: number, text: string) =>
    setParts(parts.map((one, place) => (place === index ? text : one)))
  return (
    <Dialog
      width={widthPx}
      title={t('cronTitle')}
      onCancel={onClose}
      footer={[
        <Button key="reset" onClick={() => setParts(midnight.split(' '))}>
          {t('reset')}
        </Button>,
        <Button key="cancel" onClick={onClose}>
          {t('cancel')}
        </Button>,
        <Button key="confirm" type="primary" disabled={!isMade} onClick={() => onConfirm(made)}>
          {t('confirm')}
        </Button>,
      ]}
    >
      <TabStrip
        id={id}
        tabs={cronParts.map(({ name }) => ({ name, title: t(texts[name]) }))}
        active={shown}
        onChoose={setShown}
      />
      {part && (
        <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${shown}`} className={styles.panel}>
          <CronPartChoice
            key={shown}
            part={part}
            text={parts[at] ?? ''}
            onChange={(text) => write(at, text)}
          />
        </div>
      )}
      <div className={styles.parts} role="group" aria-label={t('cronParts', { zone: scheduleZone })}>
        {cronParts.map((one, index) => (
          <label key={one.name}>
            {t(texts[one.name])}
            <Input
              value={parts[index]}
              status={isWrong(one, index) ? 'error' : undefined}
              aria-invalid={isWrong(one, index)}
              autoComplete="off"
              onChange={(event) => write(index, event.target.value.replaceAll(/\s/gu, ''))}
            />
          </label>
        ))}
      </div>
      {isMade ? (
        <NextTimes schedule={made} />
      ) : (
        <p role="alert" className={styles.wrong}>
          {t('notACron')}
        </p>
      )}
    </Dialog>
  )
}
