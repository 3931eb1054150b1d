import type { FieldMeta, FieldMetas } from '../api/metadata.ts'
import { secretFields } from '../secrets/secrets.ts'
import type { MessageKey } from '../text.ts'
import type { FieldDescription, FieldGroup, FieldSpec, FieldSpecs, WidgetName } from './form-spec.ts'

export interface DescribedGroup {
  title: string
  fields: FieldDescription[]
}

type Text = (key: MessageKey) => string

/**
 * The fields of a form, group by group. A field the server does not describe (the person may not set it, or the
 * chosen kind of thing has none) is left out, unless the screen brings its widget. A nested object named as a whole
 * stands for all its fields.
 */
export function describeForm(
  groups: readonly FieldGroup[],
  metas: FieldMetas,
  specs: FieldSpecs,
  text: Text,
): DescribedGroup[] {
  return groups.map(([title, names]) => ({
    title: text(title),
    fields: names.flatMap((name) => describeFields(name, metaAt(metas, name), specs, text)),
  }))
}

function describeFields(
  name: string,
  meta: FieldMeta | undefined,
  specs: FieldSpecs,
  text: Text,
): FieldDescription[] {
  const spec = specs[name] ?? {}
  if (meta?.type === 'nested object' && meta.children && !spec.widget) {
    return Object.entries(meta.children).flatMap(([child, childMeta]) =>
      describeFields(`${name}.${child}`, childMeta, specs, text),
    )
  }
  // What cannot be written is left out, or shown closed where the screen says so.
  const isClosed = meta?.read_only === true
  if ((isClosed && spec.disabled !== true) || (!meta && !spec.widget)) {
    return []
  }
  const known = meta ?? { type: 'field' }
  const widget = spec.widget ?? widgetFor(name, known, spec)
  return [
    {
      ...spec,
      name,
      meta: known,
      label: spec.label ? text(spec.label) : (known.label ?? name),
      help: spec.help ? text(spec.help) : known.help_text,
      placeholder: spec.placeholder && text(spec.placeholder),
      choices: spec.choices ?? known.choices ?? [],
      widget,
      submit: !isClosed && (spec.submit ?? meta !== undefined),
      secret: spec.secret ?? secretFields.includes(name.split('.').at(-1) ?? name),
      columns:
        spec.columns || widget === 'objects'
          ? describeColumns(known.child?.children ?? {}, spec.columns, text)
          : undefined,
    },
  ]
}

/** The columns of a list of objects: those the screen names, else all. */
function describeColumns(metas: FieldMetas, specs: FieldSpecs | undefined, text: Text): FieldDescription[] {
  const names = Object.keys(specs ?? metas)
  return names.flatMap((name) => describeFields(name, metas[name], specs ?? {}, text))
}

/** The description of a field; a dot leads into a nested object. */
export function metaAt(metas: FieldMetas, name: string): FieldMeta | undefined {
  const [first = '', ...rest] = name.split('.')
  let meta = metas[first]
  for (const key of rest) {
    meta = meta?.children?.[key]
  }
  return meta
}

const radioOptionsAtMost = 4

/** The widget for a field by its type, and by its name where the type says too little. */
export function widgetFor(name: string, meta: FieldMeta, spec: FieldSpec = {}): WidgetName {
  const own = name.split('.').at(-1) ?? name
  switch (meta.type) {
    case 'choice':
    case 'labeled_choice':
      return (spec.choices ?? meta.choices ?? []).length > radioOptionsAtMost ? 'select' : 'radio'
    case 'multiple choice':
      return 'multiple'
    case 'tree':
      return 'tree'
    case 'date':
    case 'datetime':
      return 'datetime'
    case 'json':
      return meta.pattern === 'attributes' ? 'attributes' : 'json'
    case 'boolean':
      return 'switch'
    case 'integer':
    case 'float':
      return 'number'
    case 'email':
      return 'email'
    case 'list':
      return 'list'
    case 'file upload':
    case 'image upload':
      return 'file'
    case 'object_related_field':
      return 'relation'
    case 'm2m_related_field':
      return 'relations'
    case 'field':
      return spec.relation ? 'relations' : meta.child ? 'objects' : 'text'
    case 'string':
      if (own === 'comment') {
        return 'textarea'
      }
      if (own === 'email') {
        return 'email'
      }
      if (meta.write_only || own === 'password') {
        return 'password'
      }
      if (meta.pattern === 'cron') {
        return 'cron'
      }
      return meta.max_length === undefined ? 'textarea' : 'text'
    default:
      return 'text'
  }
}
