/** Values with a translated label each; labels are the keys `{name}.{value}` of the choice catalogue. */
export interface ChoiceSet<V extends string | number | boolean = string | number | boolean> {
  readonly name: string
  readonly values: readonly V[]
}
export const choices = <const V extends string | number | boolean>(
  name: string,
  values: readonly V[],
): ChoiceSet<V> => ({
  name,
  values,
})

/** Named bits kept as one integer. `tree` groups them for the form; group names are choice keys too. */
export interface FlagSet<V extends string = string> {
  readonly name: string
  readonly bits: Readonly<Record<V, number>>
  readonly tree: FlagTree
}
export interface FlagTree {
  group: string
  children: readonly (string | FlagTree)[]
}
export const flagSet = <const V extends string>(
  name: string,
  bits: Readonly<Record<V, number>>,
  tree: FlagTree,
): FlagSet<V> => ({ name, bits, tree })

export const choiceKey = (set: { name: string }, value: string | number | boolean) =>
  `${set.name}.${String(value)}`

const entriesOf = <V extends string>(set: FlagSet<V>) => Object.entries(set.bits) as [V, number][]
export const allBits = (set: FlagSet) => entriesOf(set).reduce((sum, [, bit]) => sum | bit, 0)
export const namesOf = <V extends string>(set: FlagSet<V>, bits: number): V[] =>
  entriesOf(set).flatMap(([name, bit]) => ((bits & bit) === 0 ? [] : [name]))
export const bitsOf = <V extends string>(set: FlagSet<V>, names: readonly V[]) =>
  names.reduce((sum, name) => sum | set.bits[name], 0)
