import type { CronPart } from '@sallyport/contract/cron'
import { InputNumber, Radio, Select } from 'antd'
import { type ReactNode, useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useKitText } from '../../../text.ts'
import styles from './cron.module.css'
import {
  type ChoiceMode,
  firstChoice,
  lastOf,
  type PartChoice,
  readPart,
  stepProblem,
  writePart,
} from './part-choice.ts'

interface CronPartChoiceProps {
  part: CronPart
  text: string
  onChange: (text: string) => void
}

const everyTexts = {
  minute: 'cronEveryMinute',
  hour: 'cronEveryHour',
  day: 'cronEveryDay',
  month: 'cronEveryMonth',
  week: 'cronEveryWeekday',
} as const

/** How one part of a schedule is chosen: always, from one to another, every so many, or those that are ticked. */
export function CronPartChoice({ part, text, onChange }: CronPartChoiceProps) {
  const t = useKitText()
  const nameOf = useNames(part)
  const problemId = useId()
  const choice = readPart(text, part)
  const problem = stepProblem(text, part, t)
  const set = (next: PartChoice) => next.mode !== 'other' && onChange(writePart(next))
  const last = lastOf(part)
  const options = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, index) => ({
      value: from + index,
      label: nameOf(from + index),
    }))
  const { from, to } = choice.mode === 'range' ? choice : { from: part.least, to: last }
  const line = (mode: Exclude<ChoiceMode, 'other'>, label: string, content?: ReactNode) => (
    <div className={styles.way}>
      <Radio value={mode}>{label}</Radio>
      {content}
    </div>
  )
  return (
    <Radio.Group
      value={choice.mode}
      aria-label={t('cronHow')}
      className={styles.ways}
      onChange={({ target }) => set(firstChoice(target.value as Exclude<ChoiceMode, 'other'>, part))}
    >
      {line('every', t(everyTexts[part.name]))}
      {line(
        'range',
        t('cronRange'),
        <>
          <Select
            aria-label={t('cronFrom')}
            className={styles.one}
            value={from}
            options={options(part.least, last)}
            onChange={(chosen: number) => set({ mode: 'range', from: chosen, to })}
          />
          <Select
            aria-label={t('cronTo')}
            className={styles.one}
            value={to}
            options={options(from, part.most)}
            onChange={(chosen: number) => set({ mode: 'range', from, to: chosen })}
          />
        </>,
      )}
      {line(
        'step',
        t('cronStep'),
        <>
          <InputNumber
            aria-label={t('cronStep')}
            aria-invalid={problem !== undefined}
            aria-describedby={problem && problemId}
            status={problem && 'error'}
            value={choice.mode === 'step' ? choice.every : 2}
            onChange={(every) => set({ mode: 'step', every })}
          />
          {problem && (
            <span id={problemId} role="alert" className={styles.wrong}>
              {problem}
            </span>
          )}
        </>,
      )}
      {line(
        'list',
        t('cronList'),
        <Select
          mode="multiple"
          aria-label={t('cronList')}
          className={styles.several}
          value={choice.mode === 'list' ? [...choice.values] : []}
          options={options(part.least, last)}
          showSearch={{ optionFilterProp: 'label' }}
          onChange={(values: number[]) => set({ mode: 'list', values })}
        />,
      )}
    </Radio.Group>
  )
}

/** What the numbers of a part are called: months and weekdays have names. */
function useNames({ name }: CronPart): (number: number) => string {
  const { i18n } = useTranslation()
  if (name === 'month') {
    const months = new Intl.DateTimeFormat(i18n.language, { month: 'long', timeZone: 'UTC' })
    return (month) => months.format(new Date(Date.UTC(2023, month - 1, 1)))
  }
  if (name === 'week') {
    const days = new Intl.DateTimeFormat(i18n.language, { weekday: 'long', timeZone: 'UTC' })
    // The first day of 2023 was a Sunday.
    return (day) => days.format(new Date(Date.UTC(2023, 0, 1 + day)))
  }
  return String
}
