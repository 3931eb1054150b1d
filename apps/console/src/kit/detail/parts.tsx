import type { FilterOf, Resource, RowOf } from '@sallyport/contract/resource/resource'
import { type ComponentType, type ReactNode } from 'react'
import { lazyPart } from '../loading/lazy-part.tsx'
import type { PermissionRule } from '../access/access.ts'
import type { FieldOf, RowFor } from '../api/names.ts'
import { listPath, type Row, type RowId, viewPermission } from '../api/resource.ts'
import type { ListOf } from '../list/list-spec.ts'
import { ResourceList } from '../list/resource-list.tsx'
import type { ChooserProps, RelationSource } from '../relation/relation.ts'
import type { TextKey } from '../text.ts'
import type { DetailCardProps } from './detail-card.tsx'
import type { MembersProps } from './members.tsx'
import type { QuickActionsProps } from './quick-actions.tsx'

/** What a tab of a detail page is put together from. */
export interface Part<R extends Row = Row> {
  /** The tab is not shown without it. */
  permission?: PermissionRule
  show: (row: R) => ReactNode
}

// A list is on the screen before the code of details is loaded; what is declared for them is loaded with it.
const TitledCard: ComponentType<{ title: TextKey; children: ReactNode }> = lazyPart(async () => ({
  default: (await import('./card.tsx')).TitledCard,
}))
const DetailCard: ComponentType<DetailCardProps<Row>> = lazyPart(async () => ({
  default: (await import('./detail-card.tsx')).DetailCard,
}))
const QuickActions = lazyPart(async () => ({
  default: (await import('./quick-actions.tsx')).QuickActions,
})) as unknown as ComponentType<QuickActionsProps<Resource>>
const Members: ComponentType<MembersProps> = lazyPart(async () => ({
  default: (await import('./members.tsx')).Members,
}))

/** A card of its own, as for something that is no field. */
export function card<R extends Row>(title: TextKey, content: (row: R) => ReactNode): Part<R> {
  return { show: (row) => <TitledCard title={title}>{content(row)}</TitledCard> }
}

/** The row's fields as label and value. */
export function facts<T extends Resource>(
  resource: T,
  spec: Omit<DetailCardProps<RowFor<T>>, 'row' | 'path'> = {},
): Part<RowFor<T>> {
  const plain = spec as unknown as Omit<DetailCardProps<Row>, 'row' | 'path'>
  return { show: (row) => <DetailCard {...plain} row={row} path={listPath(resource.path)} /> }
}

/** What can be done with the row at once. */
export function quick<T extends Resource>(
  resource: T,
  spec: Omit<QuickActionsProps<T>, 'row' | 'resource'>,
): Part<RowFor<T>> {
  const plain = spec as unknown as Omit<QuickActionsProps<Resource>, 'row' | 'resource'>
  return { show: (row) => <QuickActions {...plain} row={row as never} resource={resource} /> }
}

/** The fields that hold a set of related rows. */
export type SetOf<T extends Resource> = {
  [K in FieldOf<T>]: RowOf<T>[K] extends readonly { id: RowId }[] ? K : never
}[FieldOf<T>]

/** The resource that keeps a relation, one row for each pair, and how it calls the two. */
export interface Pairs<P extends Resource> {
  resource: P
  /** The row of the page. */
  own: FieldOf<P>
  /** What is related to it. */
  other: FieldOf<P>
}

export interface MembersSpec<P extends Resource> {
  title: TextKey
  source: RelationSource
  /** Where each of them is kept as a pair. Left out: the field is sent as a whole, changed by what it holds then. */
  pairs?: Pairs<P>
  /** Beside the select that adds. */
  chooser?: ComponentType<ChooserProps>
}

/** The rows a field of the row holds, each of which can be taken away, and others added. */
export function members<T extends Resource, P extends Resource = Resource>(
  resource: T,
  field: SetOf<T>,
  spec: MembersSpec<P>,
): Part<RowFor<T>> {
  const plain = spec as unknown as MembersSpec<Resource>
  return { show: (row) => <Members {...plain} resource={resource} field={field} row={row} /> }
}

/** What a screen says of a list whose rows somebody else chooses. */
export type RelatedList<T extends Resource, X extends string = never> = Omit<
  ListOf<T, X>,
  'resource' | 'path' | 'describedBy' | 'query'
>

export type RelatedSpec<T extends Resource, R extends Row, X extends string> = RelatedList<T, X> & {
  /** Above the list, where a tab has several. */
  title?: TextKey
  /** What of the list depends on the row. */
  of?: (row: R) => Partial<RelatedList<T, X>>
} & (
    | {
        /** The filter of the other resource that takes this row's id. */
        by: FilterOf<T>
      }
    | {
        /** The address of a list of its own: `addressOf` a declared call. */
        at: (row: R) => string
      }
  )

/**
 * The rows of another resource that belong to this one, in a list as everywhere. Without `base` there are no screens
 * to lead to, and without `can` it only shows.
 */
export function related<T extends Resource, R extends Row, X extends string = never>(
  resource: T,
  spec: RelatedSpec<T, R, X>,
): Part<R> {
  const { title, of, ...common } = spec
  const leads = common.base === undefined ? { detailTo: false as const } : {}
  const show = (row: R) => {
    const { by, at, ...list } = { ...common, ...of?.(row) } as RelatedList<T, X> & {
      by?: string
      at?: (row: R) => string
    }
    const rows = at
      ? { path: at(row), describedBy: listPath(resource.path) }
      : { query: { [by ?? '']: row.id } }
    // A file says nothing of the row the others belong to.
    const can = typeof list.can === 'object' ? { import: false, ...list.can } : 'read'
    const given = { ...leads, ...list, can, ...rows } as unknown as Omit<ListOf<T, X>, 'resource'>
    return <ResourceList<T, X> {...given} resource={resource} />
  }
  return {
    permission: viewPermission(resource),
    show: title === undefined ? show : (row) => <TitledCard title={title}>{show(row)}</TitledCard>,
  }
}
