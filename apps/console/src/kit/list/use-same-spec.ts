import { useState } from 'react'
import type { SaidOfList } from './list-spec.ts'

/** What a screen says of its list: the same object for as long as each of its parts is, or each entry of one that is a list, so that rows are not drawn for it. */
export function useSameSpec(spec: SaidOfList): SaidOfList {
  const [kept, setKept] = useState(spec)
  if (isSame(kept, spec)) return kept
  setKept(spec)
  return spec
}

function isSame(a: SaidOfList, b: SaidOfList): boolean {
  const names = Object.keys(a) as (keyof SaidOfList)[]
  return names.length === Object.keys(b).length && names.every((name) => isSamePart(a[name], b[name]))
}

const isSamePart = (a: unknown, b: unknown): boolean =>
  Object.is(a, b) ||
  (Array.isArray(a) &&
    Array.isArray(b) &&
    a.length === b.length &&
    a.every((entry, index) => Object.is(entry, b[index])))
