import { PublicSettings } from '@sallyport/contract/resources/settings'
import { Profile } from '@sallyport/contract/resources/users'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ComponentType } from 'react'
import { createRoot } from 'react-dom/client'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { queryClient } from '../../app/query-client.ts'
import { startI18n } from '../../i18n/index.ts'
import { readOne } from '../../kit/api/one.ts'
import { KitRoot } from '../../kit/root/kit-root.tsx'
import { setSession } from '../../kit/session/session.ts'
import DirectoryPage from './directory-page.tsx'
import MailPage from './mail-page.tsx'
import TablePage from './table-page.tsx'
import TreePage from './tree-page.tsx'

/** Parts of the kit that no screen uses yet, as they would be used; built for tests alone. */
const [profile, settings] = await Promise.all([
  readOne(Profile),
  readOne(PublicSettings),
  startI18n(['shell', 'kit']),
])
setSession({ profile, settings, view: 'settings', organizations: [], organization: null })
const pages: Readonly<Record<string, ComponentType>> = {
  '?tree': TreePage,
  '?directory': DirectoryPage,
  '?table': TablePage,
  '?table=all': TablePage,
  '?table=screens': TablePage,
}
const Component = pages[location.search] ?? MailPage
const router = createMemoryRouter([{ path: '/', Component }])
const container = document.querySelector('#root')
if (container === null) throw new Error('the page has no place for the samples')
createRoot(container).render(
  <QueryClientProvider client={queryClient}>
    <KitRoot>
      <RouterProvider router={router} />
    </KitRoot>
  </QueryClientProvider>,
)
