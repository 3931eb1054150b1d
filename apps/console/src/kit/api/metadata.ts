/** A choice of a field: what is stored and what is read. */
export interface Choice {
  value: string | number | boolean
  label: string
}

/** A choice in a tree of choices; groups carry `children` and are not stored themselves. */
export interface TreeChoice {
  value: string
  label: string
  children?: TreeChoice[]
}

/** What the server says about one field (OPTIONS). */
export interface FieldMeta {
  type: string
  required?: boolean
  read_only?: boolean
  write_only?: boolean
  label?: string
  help_text?: string
  default?: unknown
  pattern?: 'address' | 'word' | 'cron' | 'attributes'
  min_length?: number
  max_length?: number
  min_value?: number
  max_value?: number
  /** Of a file. */
  max_bytes?: number
  choices?: Choice[]
  tree?: TreeChoice[]
  child?: FieldMeta
  children?: Record<string, FieldMeta>
  filter?: boolean
  /** The parameter that finds it by parts. */
  contained?: string
  order?: boolean
}

export type FieldMetas = Record<string, FieldMeta>
export type WriteMethod = 'POST' | 'PUT' | 'PATCH'

/** The answer to OPTIONS on a list or detail address. */
export interface Metadata {
  name?: string
  description?: string
  actions?: Partial<Record<'GET' | WriteMethod, FieldMetas>>
}
