import { lazy, type ReactNode, Suspense } from 'react'
import type { ResourceRef, Row } from '../api/resource.ts'
import type { DetailSpec } from '../detail/detail-page.tsx'
import type { FormSpec } from '../form/declare-form.ts'
import type { ListSpec } from '../list/list-spec.ts'
import { ResourceList } from '../list/resource-list.tsx'
import type { Screens } from '../routes/route.ts'
import { Page } from '../page/page.tsx'

// A list is on the screen before the code of forms and details is loaded.
const ResourceForm = lazy(async () => ({ default: (await import('../form/resource-form.tsx')).ResourceForm }))

type Without<S> = Omit<S, 'resource'>

export interface ScreensDeclaration<R extends Row> {
  resource: ResourceRef
  /** A sentence above the list that helps a newcomer. */
  help?: () => ReactNode
  /** A hook where the list's actions need calls or dialogs of their own. */
  list: Without<ListSpec<R>> | (() => Without<ListSpec<R>>)
  form: Without<FormSpec>
  detail: Without<DetailSpec<R>>
}

/** The list, create, update and detail screens of a resource, from its short declaration. */
export function resourceScreens<R extends Row = Row>(declaration: ScreensDeclaration<R>): Screens {
  const { resource, help, list, form, detail } = declaration
  const DetailPage = lazy(async () => ({
    default: (await import('../detail/detail-page.tsx')).DetailPage<R>,
  }))
  const useList = typeof list === 'function' ? list : () => list

  function List() {
    const spec = useList()
    return (
      <Page help={help?.()}>
        <ResourceList<R> {...spec} resource={resource} />
      </Page>
    )
  }
  function FormScreen() {
    return (
      <Page>
        <Suspense>
          <ResourceForm {...form} resource={resource} />
        </Suspense>
      </Page>
    )
  }
  function Detail() {
    return (
      <Suspense fallback={<Page>{null}</Page>}>
        <DetailPage {...detail} resource={resource} />
      </Suspense>
    )
  }
  return { list: List, create: FormScreen, update: FormScreen, detail: Detail }
}
