import {
  createBrowserRouter,
  generatePath,
  type LoaderFunctionArgs,
  type MiddlewareFunction,
  redirect,
  type RouteObject,
} from 'react-router'
import { withMessages } from '../../i18n/messages.ts'
import { loadCode } from '../../kit/loading/load-code.ts'
import { inSameOrganization } from '../../kit/routes/navigation.tsx'
import { currentSession, type Session } from '../../kit/session/session.ts'
import { base, loggedInPath } from '../addresses.ts'
import { ForbiddenPage } from '../pages/forbidden.tsx'
import { NotFoundPage } from '../pages/not-found.tsx'
import { RouteFailedPage } from '../pages/route-failed.tsx'
import { StartingPage } from '../pages/starting.tsx'
import { Shell } from '../shell/shell.tsx'
import { startUp } from '../start/start-up.ts'
import { previousView } from '../start/storage.ts'
import { startView } from '../start/views.ts'
import { firstAddress, menuOf } from './menu.ts'
import { isAllowed, type ResolvedRoute } from './resolve.ts'
import { viewTables } from './tables.ts'

const notFoundPath = '/404'

/** Addresses of old links, and where their pages are now; parameters and query go along. */
const movedTo = { '/terminal/sessions/:id': '/audit/sessions/sessions/:id' }

function session(): Session {
  const running = currentSession()
  if (running === null) throw new Error('start-up did not run before this route')
  return running
}

/** Leads on in the same organization. */
function redirectHere(to: string, request: Request): Response {
  return redirect(inSameOrganization(to, new URL(request.url).search))
}

/** An address the person may not open is, for him, not there. */
function routeObjects(route: ResolvedRoute): RouteObject[] {
  const { component } = route
  const own: RouteObject[] =
    component === undefined
      ? []
      : [
          {
            path: route.address,
            handle: route,
            loader: () => {
              if (!isAllowed(route, session())) throw redirect(notFoundPath)
              return null
            },
            lazy: async () => ({
              Component: (await loadCode(() => withMessages(route.view, component))).default,
            }),
          },
        ]
  return [...own, ...route.children.flatMap(routeObjects)]
}

/** A view's own address leads to the first page of its menu. */
function viewEntry(view: ResolvedRoute): RouteObject {
  return {
    path: view.address,
    handle: view,
    loader: ({ request }) => {
      const first = firstAddress(menuOf(view, session()))
      if (first !== undefined) throw redirectHere(first, request)
      return null
    },
    Component: ForbiddenPage,
  }
}

const middleware: MiddlewareFunction[] = [
  async ({ request }, next) => {
    await startUp(new URL(request.url), request.signal)
    return next()
  },
]

export function createRouter() {
  return createBrowserRouter(
    [
      {
        path: '/ops/:type/task/:id/log',
        middleware,
        HydrateFallback: StartingPage,
        ErrorBoundary: RouteFailedPage,
        lazy: async () => ({
          Component: (await loadCode(() => import('../pages/task-log.tsx'))).default,
        }),
      },
      {
        path: '/downloads',
        middleware,
        HydrateFallback: StartingPage,
        ErrorBoundary: RouteFailedPage,
        lazy: async () => ({
          Component: (await loadCode(() => import('../pages/downloads.tsx'))).default,
        }),
      },
      {
        path: loggedInPath,
        middleware,
        HydrateFallback: StartingPage,
        ErrorBoundary: RouteFailedPage,
        lazy: async () => ({
          Component: (await loadCode(() => import('../pages/logged-in.tsx'))).default,
        }),
      },
      {
        middleware,
        Component: Shell,
        HydrateFallback: StartingPage,
        ErrorBoundary: RouteFailedPage,
        children: [
          {
            ErrorBoundary: RouteFailedPage,
            children: [
              {
                index: true,
                loader: ({ request }) =>
                  redirectHere(`/${startView(session().profile, previousView())}`, request),
              },
              ...viewTables.flatMap((view) => [viewEntry(view), ...view.children.flatMap(routeObjects)]),
              { path: notFoundPath, Component: NotFoundPage },
              ...Object.entries(movedTo).map(([path, to]) => ({
                path,
                loader: ({ params, request }: LoaderFunctionArgs) =>
                  redirect(`${generatePath(to, params)}${new URL(request.url).search}`),
              })),
              {
                path: '*',
                loader: ({ request }) => {
                  // oxlint-disable-next-line no-console -- for whoever looks for a link that leads nowhere (specification 1, section 8)
                  console.error('No route found', new URL(request.url).pathname)
                  return redirect(notFoundPath)
                },
              },
            ],
          },
        ],
      },
    ],
    { basename: base },
  )
}
