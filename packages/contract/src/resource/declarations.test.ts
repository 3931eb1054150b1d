import { describe, expect, it } from 'vitest'
import { callLabels, choiceLabels, find, help, labels, languages, models } from '../messages/index.ts'
import * as declared from '../resources/index.ts'
import { type Callable, isWrite } from './calls.ts'
import { choiceKey, type FlagTree } from './choices.ts'
import type { Fields } from './field.ts'
import { modelOf, type Resource } from './resource.ts'

const isResource = (value: unknown): value is Resource =>
  typeof value === 'object' && value !== null && 'model' in value && 'fields' in value
const isCallable = (value: unknown): value is Callable =>
  typeof value === 'object' && value !== null && 'model' in value && 'calls' in value
const resources = (Object.values(declared) as unknown[]).filter((value) => isResource(value))

const callables = (Object.values(declared) as unknown[]).filter((value) => isCallable(value))
it.each(callables.map((of) => [modelOf(of), of] as const))(
  '%s has a name for every call the books may name, and every call that writes says what it leaves there',
  (model, of) => {
    const unnamed = Object.entries(of.calls)
      .filter(([, call]) => typeof call.records === 'string')
      .flatMap(([name]) =>
        languages
          .filter((language) => find(callLabels, language, `${model}.${name}`) === undefined)
          .map((language) => `${language} ${name}`),
      )
    expect(unnamed).toEqual([])
    expect(
      Object.entries(of.calls).filter(([, call]) => isWrite(call) && call.records === undefined),
    ).toEqual([])
  },
)

describe.each(resources.map((resource) => [modelOf(resource), resource] as const))(
  '%s',
  (model, resource) => {
    it('has a name in every language', () => {
      expect(languages.filter((language) => find(models, language, model) === undefined)).toEqual([])
    })

    it('has a label for every field, choice and help text in every language', () => {
      expect(missing(resource, resource.fields)).toEqual([])
    })

    it('orders and sizes by fields it has', () => {
      const names = new Set(Object.keys(resource.fields))
      const used = [
        ...(resource.mini ?? []),
        ...(resource.small ?? []),
        ...resource.order.map((name) => name.replace('-', '')),
      ]
      expect(used.filter((name) => !names.has(name))).toEqual([])
    })
  },
)

function missing(resource: Resource, fields: Fields): string[] {
  return Object.entries(fields).flatMap(([name, { kind, options }]) => {
    const gaps: string[] = []
    for (const language of languages) {
      const label = options.label ?? `${modelOf(resource)}.${name}`
      if (
        find(labels, language, label) === undefined &&
        (options.label || find(labels, language, name) === undefined)
      )
        gaps.push(`${language} label ${name}`)
      if (options.help && find(help, language, options.help) === undefined)
        gaps.push(`${language} help ${options.help}`)
      const keys =
        kind.kind === 'choice'
          ? kind.choices.values.map((value) => choiceKey(kind.choices, value))
          : kind.kind === 'flags'
            ? groupsOf(kind.flags.tree).map((value) => choiceKey(kind.flags, value))
            : []
      gaps.push(
        ...keys
          .filter((key) => find(choiceLabels, language, key) === undefined)
          .map((key) => `${language} choice ${key}`),
      )
    }
    return kind.kind === 'object' || kind.kind === 'objects'
      ? [...gaps, ...missing(resource, kind.fields)]
      : gaps
  })
}
const groupsOf = (tree: FlagTree): string[] => [
  tree.group,
  ...tree.children.flatMap((child) => (typeof child === 'string' ? [child] : groupsOf(child))),
]
