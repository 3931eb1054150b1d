import { MinusOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, InputNumber, Select } from 'antd'
import type { ReactNode } from 'react'
import { useMessages } from '../../../kit/text.ts'
import styles from './assets.module.css'

export interface ProtocolRow {
  name: string
  port?: number | null
}

export interface OfferedProtocol {
  name: string
  port: number
  /** Cannot be left out. */
  fixed: boolean
}

interface ProtocolRowsProps<P extends ProtocolRow> {
  offered: readonly OfferedProtocol[]
  value: readonly P[]
  disabled: boolean
  describedBy?: string | undefined
  /** A row for a protocol that is chosen. */
  make: (offered: OfferedProtocol) => P
  onChange: (rows: P[]) => void
  /** More of a row, after its port. */
  renderExtra?: (row: P, change: (row: P) => void) => ReactNode
}

const highestPort = 65_535

/** Protocols and their ports, a line each. A protocol is offered once; what the platform needs cannot be removed. */
export function ProtocolRows<P extends ProtocolRow>(props: ProtocolRowsProps<P>) {
  const { offered, value, disabled, make, onChange, renderExtra } = props
  const text = useMessages()
  const used = new Set(value.map((row) => row.name))
  const unused = offered.filter(({ name }) => !used.has(name))
  const isFixed = (row: P) => offered.find(({ name }) => name === row.name)?.fixed === true
  const change = (index: number, row: P) =>
    onChange(value.map((other, place) => (place === index ? row : other)))
  const [next] = unused
  return (
    <div className={styles.protocols} role="group" aria-describedby={props.describedBy}>
      {value.map((row, index) => (
        <div key={row.name} className={styles.protocol}>
          <Select
            aria-label={text('protocol')}
            value={row.name}
            disabled={disabled || isFixed(row)}
            options={[row.name, ...unused.map(({ name }) => name)].map((name) => ({
              value: name,
              label: name,
            }))}
            onChange={(name) => {
              const chosen = offered.find((candidate) => candidate.name === name)
              if (chosen) change(index, make(chosen))
            }}
          />
          <InputNumber
            aria-label={text('portOf', { name: row.name })}
            placeholder={text('port')}
            min={1}
            max={highestPort}
            precision={0}
            value={row.port ?? null}
            disabled={disabled}
            onChange={(port) => change(index, { ...row, port })}
          />
          {renderExtra?.(row, (changed) => change(index, changed))}
          <Button
            icon={<MinusOutlined aria-hidden />}
            aria-label={text('removeProtocol', { name: row.name })}
            disabled={disabled || isFixed(row)}
            onClick={() => onChange(value.filter((other) => other !== row))}
          />
        </div>
      ))}
      {!disabled && next && (
        <Button icon={<PlusOutlined aria-hidden />} onClick={() => onChange([...value, make(next)])}>
          {text('addProtocol')}
        </Button>
      )}
    </div>
  )
}
