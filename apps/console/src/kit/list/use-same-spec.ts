import { useState } from 'react'
import type { ListSpec } from './list-spec.ts'

/** What a screen says of its list: the same object for as long as each of its parts is, so that rows are not drawn for it. */
export function useSameSpec(spec: ListSpec): ListSpec {
  const [kept, setKept] = useState(spec)
  if (isSame(kept, spec)) return kept
  setKept(spec)
  return spec
}

function isSame(a: ListSpec, b: ListSpec): boolean {
  const names = Object.keys(a) as (keyof ListSpec)[]
  return names.length === Object.keys(b).length && names.every((name) => Object.is(a[name], b[name]))
}
