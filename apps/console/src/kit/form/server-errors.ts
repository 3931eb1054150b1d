import { type ApiError, errorText, type FieldErrors, fieldErrorsOf, isRecord } from '../api/errors.ts'
import type { FieldDescription, FormSituation } from './form-spec.ts'
import type { FormValues } from './paths.ts'
import { isHidden } from './rules.ts'

/**
 * Puts the server's answer onto the fields of the form, inside nested objects and lists of objects
 * (`[{}, {port: ['…']}]` becomes `protocols.1.port`) too. What belongs to no field in view comes back as
 * `others`, so nothing said is lost.
 */
export function placeErrors(
  error: ApiError,
  fields: readonly FieldDescription[],
  values: FormValues,
  situation: FormSituation,
) {
  const placed: FieldErrors = {}
  const others: string[] = []
  // Of secrets the wire answers a bare list of sentences, without the name of the field.
  if (isSentences(error.body) && fields.some(({ name }) => name === 'secret')) {
    return { placed: { secret: error.body.join('; ') }, others }
  }
  const body = isRecord(error.body) ? error.body : {}
  for (const [name, text] of Object.entries(error.fieldErrors)) {
    for (const [at, problem] of flattened(name, body[name], text, fields)) {
      const field = fields.find((one) => one.name === at || isCell(one, at))
      if (field && !isHidden(field, values, situation)) {
        placed[at] = problem
      } else {
        others.push(`${field?.label ?? at}: ${problem}`)
      }
    }
  }
  return { placed, others }
}

const isSentences = (body: unknown): body is string[] =>
  Array.isArray(body) && body.length > 0 && body.every((one) => typeof one === 'string')

type Found = readonly (readonly [name: string, problem: string])[]

function flattened(name: string, body: unknown, text: string, fields: readonly FieldDescription[]): Found {
  const rows = fields.some((field) => field.name === name && holdsObjects(field)) ? rowsIn(body) : []
  if (rows.length > 0) {
    return rows.flatMap(([index, row]) => inside(`${name}.${index}`, row, fields))
  }
  if (isRecord(body) && fields.some((field) => field.name.startsWith(`${name}.`))) {
    return inside(name, body, fields)
  }
  return [[name, text]]
}

function inside(
  name: string,
  body: Readonly<Record<string, unknown>>,
  fields: readonly FieldDescription[],
): Found {
  // Of a row as a whole, as where it is there twice.
  const whole =
    'non_field_errors' in body ? errorText({ non_field_errors: body['non_field_errors'] }) : undefined
  return [
    ...(whole ? [[`${name}.non_field_errors`, whole] as const] : []),
    ...Object.entries(fieldErrorsOf(body)).flatMap(([key, text]) =>
      flattened(`${name}.${key}`, body[key], text, fields),
    ),
  ]
}

/** The rows something is wrong with: `[{}, {…}]`, or `{1: {…}}`. */
function rowsIn(body: unknown): [index: string, row: Record<string, unknown>][] {
  return Object.entries(isRecord(body) || Array.isArray(body) ? body : {}).flatMap(([index, row]) =>
    isRecord(row) && /^\d+$/u.test(index) ? [[index, row]] : [],
  )
}

const holdsObjects = (field: FieldDescription) => field.meta.child?.children !== undefined

const isCell = (field: FieldDescription, at: string) => holdsObjects(field) && at.startsWith(`${field.name}.`)
