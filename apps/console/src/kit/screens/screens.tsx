import type { Resource } from '@sallyport/contract/resource/resource'
import { type ComponentType, type ReactNode, Suspense } from 'react'
import { lazyPart } from '../loading/lazy-part.tsx'
import type { RowFor } from '../api/names.ts'
import type { DetailSpec } from '../detail/detail-page.tsx'
import type { FormDeclaration, FormSpec } from '../form/declare-form.ts'
import type { ListOf } from '../list/list-spec.ts'
import { ResourceList } from '../list/resource-list.tsx'
import { Page } from '../page/page.tsx'
import type { Screens } from '../routes/route.ts'
import { type MessageKey, useMessages } from '../text.ts'

// A list is on the screen before the code of forms and details is loaded.
const ResourceForm = lazyPart(async () => ({
  default: (await import('../form/resource-form.tsx')).ResourceForm,
}))
const DetailPage = lazyPart(async () => ({ default: (await import('../detail/detail-page.tsx')).DetailPage }))

/** What a screen says of its list. */
export type ListDeclaration<T extends Resource, X extends string = never> = Omit<ListOf<T, X>, 'resource'> & {
  /** What stands around the list: a tree at its side. */
  frame?: ComponentType<{ children: ReactNode }>
}

export interface ScreensDeclaration<T extends Resource, X extends string = never, N extends string = never> {
  /** A sentence above the list that helps a newcomer. */
  help?: MessageKey
  /** A hook where the list depends on the page; a page of its own where one list is not enough. */
  list?: ListDeclaration<T, X> | (() => ListDeclaration<T, X>)
  page?: ComponentType
  /** A hook where the form depends on what the platform tells of itself; it answers the same object for the same. */
  form?: FormDeclaration<T, N> | (() => FormDeclaration<T, N>)
  detail?: Omit<DetailSpec<RowFor<T>>, 'resource'>
}

/**
 * The list, create, update and detail screens of a resource, from its short declaration. Names and rows are those of
 * the contract. What is not declared is not there: without a detail, names in the list lead nowhere.
 */
export function screens<T extends Resource, X extends string = never, N extends string = never>(
  resource: T,
  declaration: ScreensDeclaration<T, X, N>,
): Screens {
  const { help, list, page, form, detail } = declaration
  const made: Screens = { about: `${resource.app}.${resource.permission}` }
  if (page) {
    made.list = page
  } else if (list) {
    made.list = listScreen(resource, list, help, detail !== undefined)
  }
  if (form) {
    // What the contract's types have checked, the kit takes as rows and words.
    const useSpec = (typeof form === 'function' ? form : () => form) as unknown as () => Omit<
      FormSpec,
      'resource'
    >
    made.create = made.update = function FormScreen() {
      const spec = useSpec()
      return (
        <Page>
          <Suspense>
            <ResourceForm {...spec} resource={resource} hasDetail={detail !== undefined} />
          </Suspense>
        </Page>
      )
    }
  }
  if (detail) {
    const spec = detail as unknown as Omit<DetailSpec, 'resource'>
    made.detail = function Detail() {
      return (
        <Suspense fallback={<Page>{null}</Page>}>
          <DetailPage {...spec} resource={resource} />
        </Suspense>
      )
    }
  }
  return made
}

function listScreen<T extends Resource, X extends string>(
  resource: T,
  list: ListDeclaration<T, X> | (() => ListDeclaration<T, X>),
  help: MessageKey | undefined,
  hasDetail: boolean,
): ComponentType {
  const useDeclared = typeof list === 'function' ? list : () => list
  return function List() {
    const text = useMessages()
    const { frame: Frame = Bare, ...declared } = useDeclared()
    return (
      <Page help={help && text(help)}>
        <Frame>
          <ResourceList<T, X>
            {...(!hasDetail && { detailTo: false })}
            {...(declared as Omit<ListOf<T, X>, 'resource'>)}
            resource={resource}
          />
        </Frame>
      </Page>
    )
  }
}

function Bare({ children }: { children: ReactNode }) {
  return children
}
