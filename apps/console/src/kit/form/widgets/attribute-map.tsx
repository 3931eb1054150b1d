import { MinusOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Input } from 'antd'
import { useState } from 'react'
import { isRecord } from '../../api/errors.ts'
import { useKitText } from '../../text.ts'
import type { WidgetProps } from '../form-spec.ts'
import styles from '../form.module.css'

type Line = readonly [name: string, mapped: string]

const longest = 128

const linesOf = (value: unknown): Line[] =>
  Object.entries(isRecord(value) ? value : {}).map(([name, mapped]) => [name, String(mapped)])
const mapOf = (lines: readonly Line[]) => Object.fromEntries(lines.filter(([name]) => name !== ''))

/** What attributes of another directory stand for here: a line each, of which the last one stays. */
export default function AttributeMapWidget({
  id,
  value,
  onChange,
  onBlur,
  disabled,
  describedBy,
}: WidgetProps) {
  const t = useKitText()
  // Lines without a name are none of the value yet.
  const [lines, setLines] = useState<readonly Line[]>(() => linesOf(value))
  const [shown, setShown] = useState(value)
  if (shown !== value) {
    // Changed from outside: put back, or by somebody else.
    setShown(value)
    setLines(linesOf(value))
  }
  const change = (next: readonly Line[]) => {
    const map = mapOf(next)
    setLines(next)
    setShown(map)
    onChange(map)
  }
  const cell = (index: number, part: 0 | 1) => ({
    disabled,
    onBlur,
    maxLength: longest,
    autoComplete: 'off',
    'aria-label': t(part === 0 ? 'attributeOf' : 'attributeMapped', { number: index + 1 }),
    placeholder: t(part === 0 ? 'attribute' : 'mappedTo'),
    value: lines[index]?.[part] ?? '',
    onChange: ({ target }: { target: { value: string } }) =>
      change(
        lines.map((line, at): Line => {
          if (at !== index) return line
          return part === 0 ? [target.value, line[1]] : [line[0], target.value.trim()]
        }),
      ),
  })
  return (
    <div
      id={id}
      role="group"
      aria-labelledby={`${id}-label`}
      aria-describedby={describedBy}
      className={styles.objects}
    >
      {lines.map((_line, index) => (
        // Lines are what they are by their place: their names change while they are typed.
        <div key={index} className={styles.mapped}>
          <Input {...cell(index, 0)} />
          <Input {...cell(index, 1)} />
          <Button
            icon={<MinusOutlined aria-hidden />}
            aria-label={t('removeRow', { number: index + 1 })}
            title={lines.length === 1 ? t('lastStays') : undefined}
            disabled={disabled || lines.length === 1}
            onClick={() => change(lines.filter((_one, at) => at !== index))}
          />
        </div>
      ))}
      {!disabled && (
        <Button icon={<PlusOutlined aria-hidden />} onClick={() => setLines([...lines, ['', '']])}>
          {t('addRow')}
        </Button>
      )}
    </div>
  )
}
