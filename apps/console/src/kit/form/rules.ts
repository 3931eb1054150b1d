import { isCron } from '@sallyport/contract/cron'
import { addressShape, wordShape } from '@sallyport/contract/text-shapes'
import dayjs from 'dayjs'
import { dateFormat } from '../dates/dates.ts'
import type { FieldDescription, FormSituation, Rule } from './form-spec.ts'
import { jsonProblem } from './json-problem.ts'
import { type FormValues, valueAt } from './paths.ts'
import { type FieldErrors, isRecord } from '../api/errors.ts'
import type { FieldMeta } from '../api/metadata.ts'
import type { KitText } from '../text.ts'
import { sizeText } from '../values/size-text.ts'
import { UnreadableText } from '../values/unreadable-text.ts'

/** Text typed into a JSON field that is no JSON (yet). */
export class UnfinishedJson {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

const emailShape = /^[^\s@]+@[^\s@]+\.[^\s@]+$/u

/** Rules a screen can put on a field. Empty values pass: being required is said apart. */
export const rules = {
  email: textRule(emailShape, 'invalidEmail'),
  noEmoji: (value, _values, t) =>
    typeof value === 'string' && /\p{Extended_Pictographic}/u.test(value) ? t('noEmoji') : undefined,
} satisfies Record<string, Rule>

function textRule(shape: RegExp, message: 'invalidEmail' | 'invalidFormat' | 'notAWord'): Rule {
  return (value, _values, t) =>
    typeof value === 'string' && value.trim() && !shape.test(value.trim()) ? t(message) : undefined
}

/** By what the server says a value has to look like. */
const patternRules: Record<NonNullable<FieldMeta['pattern']>, Rule> = {
  address: textRule(addressShape, 'invalidFormat'),
  word: textRule(wordShape, 'notAWord'),
  cron: (value, _values, t) => (typeof value === 'string' && !isCron(value) ? t('notACron') : undefined),
  attributes: (value, _values, t) =>
    isRecord(value) && !Object.values(value).includes('username') ? t('usernameNotMapped') : undefined,
}

/** Of pictures that cannot hold a script; what a file says it is. */
export const pictureTypes = [
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'image/x-icon',
  'image/vnd.microsoft.icon',
]

export function isEmpty(value: unknown): boolean {
  if (typeof value === 'string') {
    return value.trim() === ''
  }
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}

/** Whether a field is out of view. */
export function isHidden(field: FieldDescription, values: FormValues, situation: FormSituation): boolean {
  return typeof field.hidden === 'function' ? field.hidden(values, situation) : (field.hidden ?? false)
}

/** Whether a field can be seen but not changed. */
export function isDisabled(field: FieldDescription, values: FormValues, situation: FormSituation): boolean {
  return typeof field.disabled === 'function' ? field.disabled(values, situation) : (field.disabled ?? false)
}

/** Whether a field must be filled in, now. A secret that exists already may stay as it is. */
export function isRequired(field: FieldDescription, values: FormValues, situation: FormSituation): boolean {
  if (typeof field.required === 'function') {
    return field.required(values, situation)
  }
  const kept = situation.updating && field.meta.write_only
  return field.required ?? (field.meta.required === true && !kept && field.meta.type !== 'boolean')
}

/** What is wrong with one field, or undefined. */
export function checkField(
  field: FieldDescription,
  values: FormValues,
  situation: FormSituation,
  t: KitText,
): string | undefined {
  const value = valueAt(values, field.name)
  if (isEmpty(value)) {
    return isRequired(field, values, situation) ? t('required') : undefined
  }
  const problem = builtIn(field, value, t)
  return (
    problem ??
    field.rules?.reduce<string | undefined>((found, rule) => found ?? rule(value, values, t), undefined)
  )
}

/** Everything wrong with one field: for a list of objects that of each cell too, as `name.index.column`. */
export function problemsOf(...args: Parameters<typeof checkField>): FieldErrors {
  const [field, values, situation, t] = args
  const problem = checkField(...args)
  const found: FieldErrors = problem ? { [field.name]: problem } : {}
  const rows: unknown = valueAt(values, field.name)
  if (field.columns && Array.isArray(rows)) {
    for (const [index, row] of rows.filter(isRecord).entries()) {
      for (const column of field.columns) {
        const wrong = checkField(column, row, situation, t)
        if (wrong) {
          found[`${field.name}.${index}.${column.name}`] = wrong
        }
      }
    }
  }
  return found
}

/** Widgets that are typed into; the others are chosen from, pressed or ticked. */
const typedWidgets = new Set<FieldDescription['widget']>([
  'text',
  'textarea',
  'email',
  'password',
  'number',
  'json',
  'phone',
  'cron',
])

/** What is wrong with a field the person has just changed: a choice taken back is missed at once, as is what is wrong with a file; a text not yet. */
export function changeProblem(...args: Parameters<typeof checkField>): string | undefined {
  const [field, values] = args
  const value = valueAt(values, field.name)
  const isDone = value instanceof File || (!typedWidgets.has(field.widget) && isEmpty(value))
  return isDone ? checkField(...args) : undefined
}

/** What is wrong with a field the person leaves: a text left out is missed now, a choice not made only on sending. */
export function leaveProblem(...args: Parameters<typeof checkField>): string | undefined {
  const [field, values] = args
  const isUntaken = !typedWidgets.has(field.widget) && isEmpty(valueAt(values, field.name))
  return isUntaken ? undefined : checkField(...args)
}

function builtIn(field: FieldDescription, value: unknown, t: KitText): string | undefined {
  const { max_length: longest, min_length: shortest, max_value: most, min_value: least } = field.meta
  if (value instanceof UnfinishedJson) {
    const { line = 1, column = 1 } = jsonProblem(value.text) ?? {}
    return t('invalidJson', { line, column })
  }
  if (value instanceof UnreadableText) {
    return field.widget === 'number'
      ? t(field.meta.type === 'integer' ? 'notWhole' : 'notANumber')
      : t('notADate', { example: dayjs().format(dateFormat(field.meta.type === 'date')) })
  }
  if (typeof value === 'string') {
    if (longest !== undefined && value.length > longest) {
      return t('tooLong', { max: longest })
    }
    if (shortest !== undefined && value.length < shortest) {
      return t('tooShort', { min: shortest })
    }
    if (field.widget === 'email') {
      return rules.email(value, {}, t)
    }
  }
  if (value instanceof File) {
    const { max_bytes: max, type } = field.meta
    if (type === 'image upload' && !pictureTypes.includes(value.type)) {
      return t('notPicture')
    }
    return max !== undefined && value.size > max ? t('fileTooLarge', { max: sizeText(max) }) : undefined
  }
  if (typeof value === 'number') {
    if (field.meta.type === 'integer' && !Number.isInteger(value)) {
      return t('notWhole')
    }
    if (most !== undefined && value > most) {
      return t('tooMuch', { max: most })
    }
    if (least !== undefined && value < least) {
      return t('tooLittle', { min: least })
    }
  }
  return field.meta.pattern && patternRules[field.meta.pattern](value, {}, t)
}
