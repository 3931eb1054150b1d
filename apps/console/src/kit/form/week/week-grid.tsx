import { Button, Input } from 'antd'
import { type PointerEvent, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useKitText } from '../../text.ts'
import type { WidgetProps } from '../form-spec.ts'
import { type DayHours, everyDay, hoursOf, slotsIn, weekOf, wholeWeek } from './hours.ts'
import styles from './week-grid.module.css'

interface Cell {
  row: number
  slot: number
}
/** What is being painted: a rectangle of half hours, all switched to one state. */
interface Painting {
  from: Cell
  to: Cell
  isOn: boolean
}

const isInside = ({ from, to }: Painting, { row, slot }: Cell) =>
  row >= Math.min(from.row, to.row) &&
  row <= Math.max(from.row, to.row) &&
  slot >= Math.min(from.slot, to.slot) &&
  slot <= Math.max(from.slot, to.slot)

/** The hours of a week: painted over half hours, or written for each day. */
export function WeekGrid({ id, value, onChange, onBlur, disabled, describedBy, invalid }: WidgetProps) {
  const t = useKitText()
  const { i18n } = useTranslation()
  const [painting, setPainting] = useState<Painting>()
  const week = weekOf(value)
  const names = new Intl.DateTimeFormat(i18n.language, { weekday: 'long', timeZone: 'UTC' })
  const nameOf = (day: number) => names.format(new Date(Date.UTC(2023, 0, 1 + day)))
  const painted = (row: number): boolean[] =>
    slotsIn(week[row]?.value ?? '').map((isOn, slot) =>
      painting && isInside(painting, { row, slot }) ? painting.isOn : isOn,
    )
  const commit = () => {
    if (painting === undefined) return
    setPainting(undefined)
    onChange(
      week.map((day, row): DayHours => {
        const isTouched =
          row >= Math.min(painting.from.row, painting.to.row) &&
          row <= Math.max(painting.from.row, painting.to.row)
        return isTouched ? { ...day, value: hoursOf(painted(row)) } : day
      }),
    )
  }
  useEffect(() => {
    if (painting === undefined) return undefined
    window.addEventListener('pointerup', commit)
    return () => window.removeEventListener('pointerup', commit)
  })
  const begin = (cell: Cell, isOn: boolean) => (event: PointerEvent) => {
    if (disabled || event.button !== 0) return
    event.preventDefault()
    setPainting({ from: cell, to: cell, isOn: !isOn })
  }
  const move = (cell: Cell) => () => painting && setPainting({ ...painting, to: cell })

  return (
    <div id={id} role="group" aria-labelledby={`${id}-label`} aria-describedby={describedBy}>
      <div className={styles.head} aria-hidden>
        <span>00:00</span>
        <span>06:00</span>
        <span>12:00</span>
        <span>18:00</span>
      </div>
      {week.map((day, row) => (
        <div key={day.id} className={styles.day}>
          <span className={styles.name}>{nameOf(day.id)}</span>
          <div className={styles.slots} aria-hidden>
            {painted(row).map((isOn, slot) => (
              <span
                key={slot}
                data-on={isOn}
                onPointerDown={begin({ row, slot }, isOn)}
                onPointerEnter={move({ row, slot })}
              />
            ))}
          </div>
          <Input
            className={styles.text}
            size="small"
            aria-label={nameOf(day.id)}
            aria-invalid={invalid}
            placeholder="08:00~12:00、13:00~18:00"
            disabled={disabled}
            value={day.value}
            onBlur={onBlur}
            onChange={(event) =>
              onChange(week.map((one) => (one.id === day.id ? { ...one, value: event.target.value } : one)))
            }
          />
        </div>
      ))}
      <Button type="link" size="small" disabled={disabled} onClick={() => onChange(wholeWeek)}>
        {t('weekAll')}
      </Button>
      <Button type="link" size="small" disabled={disabled} onClick={() => onChange(everyDay(''))}>
        {t('weekNone')}
      </Button>
    </div>
  )
}
