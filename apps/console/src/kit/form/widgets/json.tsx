import { Input } from 'antd'
import { type UIEvent, useRef, useState } from 'react'
import styles from '../form.module.css'
import type { WidgetProps } from '../form-spec.ts'
import { jsonProblem } from '../json-problem.ts'
import { UnfinishedJson } from '../rules.ts'
import { inputProps } from './texts.tsx'

const rows = 8
const mostRows = 24

/** JSON as text, with its lines numbered; the line where it stops being JSON is marked while it is typed. */
export default function JsonWidget(props: WidgetProps) {
  const [shown, setShown] = useState(() => ({ value: props.value, text: jsonText(props.value) }))
  const numbers = useRef<HTMLDivElement>(null)
  if (shown.value !== props.value) {
    // Changed from outside: put back, or by somebody else.
    setShown({ value: props.value, text: jsonText(props.value) })
  }
  const change = (typed: string) => {
    const value = parsed(typed)
    setShown({ value, text: typed })
    props.onChange(value)
  }
  const scroll = ({ currentTarget }: UIEvent<HTMLElement>) => {
    if (numbers.current) numbers.current.scrollTop = currentTarget.scrollTop
  }
  const lines = shown.text.split('\n').map((_line, index) => index + 1)
  const wrong = shown.value instanceof UnfinishedJson ? jsonProblem(shown.text)?.line : undefined
  return (
    <div className={styles.json}>
      <div ref={numbers} className={styles.lines} aria-hidden>
        {lines.slice(0, wrong === undefined ? undefined : wrong - 1).join('\n')}
        {wrong !== undefined && <b>{`\n${String(wrong)}\n`}</b>}
        {wrong !== undefined && lines.slice(wrong).join('\n')}
      </div>
      <Input.TextArea
        {...inputProps(props)}
        value={shown.text}
        spellCheck={false}
        wrap="off"
        autoSize={{ minRows: rows, maxRows: mostRows }}
        maxLength={undefined}
        onScroll={scroll}
        onChange={(event) => change(event.target.value)}
      />
    </div>
  )
}

function jsonText(value: unknown): string {
  if (value instanceof UnfinishedJson) {
    return value.text
  }
  return value === undefined || value === null ? '' : JSON.stringify(value, null, 2)
}

function parsed(text: string): unknown {
  if (!text.trim()) {
    return null
  }
  try {
    return JSON.parse(text)
  } catch {
    // Not finished yet: the form keeps the text and says so when it is sent.
    return new UnfinishedJson(text)
  }
}
