/**
 * Which modules are delivered together. Every file is a request, so what is needed together comes in one: what the
 * sign-in page needs, what every page with a list needs, what details and forms need, and for each area of a view
 * (`views/console/users`) its lists first and the rest when it is opened. What is left is split by who imports it.
 */
import type { Rolldown } from 'vite'

type Group = NonNullable<Extract<Rolldown.OutputOptions['codeSplitting'], object>['groups']>[number]
type Graph = Parameters<Extract<Group['name'], (...given: never[]) => unknown>>[1]

const inView = /\/src\/views\/(\w+)\/(?:([\w-]+)\/)?[^/]+$/u

function areaOf(id: string): string {
  const [, view, folder] = inView.exec(id) ?? []
  return ['view', view, folder].filter(Boolean).join('-')
}

const known = new WeakMap<Graph, Map<string, boolean>>()

/** Whether a module of a view is part of a screen a route loads, and not only of what that screen loads later. */
function isOfScreen(id: string, graph: Graph): boolean {
  const answers = known.get(graph) ?? new Map<string, boolean>()
  known.set(graph, answers)
  const answer = answers.get(id)
  if (answer !== undefined) return answer
  answers.set(id, false)
  const info = graph.getModuleInfo(id)
  const found =
    info?.dynamicImporters.some((importer) => importer.endsWith('/routes.ts')) === true ||
    info?.importers.some((importer) => inView.test(importer) && isOfScreen(importer, graph)) === true
  answers.set(id, found)
  return found
}

const pages = [
  'app/app',
  'kit/actions/calling',
  'kit/api/call',
  'kit/detail/parts',
  'kit/form/(?:declare-form|rules)',
  'kit/list/resource-list',
  'kit/relation/(?:relation|sources)',
  'kit/screens/screens',
  'kit/status/connectivity',
  'kit/tabs/tabs',
  'kit/tasks/open-task',
  // The dialog that moves a node, and ticks, are not of a list: they bring along what dialogs and forms need.
  'kit/tree/(?!move-dialog|(?:use-)?tree-checks)[\\w-]+',
  'views/console/sources',
]
const everywhere = ['@ant-design/icons/es/icons/\\w+', 'antd/es/(?:segmented|tag)/index']

/** A group begins with the modules named and takes along what they import. */
export const chunkGroups: Group[] = [
  {
    name: 'start',
    test: /\/src\/(?:app\/(?:sign-in\/(?:sign-in-page\.tsx|files-to-come\.ts)|base\.css)|kit\/(?:loading\/when-idle|session\/login-channel)\.ts|i18n\/index\.ts|kit\/theme\/\w+\.ts)$|\/react-dom\/client\.js$/u,
    priority: 6,
  },
  {
    name: 'pages',
    test: new RegExp(
      `/src/(?:${pages.join('|')})\\.tsx?$|/contract/src/resources/[\\w-]+\\.ts$|/(?:${everywhere.join('|')})\\.js$`,
      'u',
    ),
    priority: 5,
  },
  // Fetched while nothing else is, so that something can be asked even when the server is away.
  { name: 'questions', test: /\/src\/kit\/(?:confirm|dialog)\//u, priority: 4 },
  { name: 'details', test: /\/src\/kit\/(?:detail|relation)\//u, priority: 4 },
  { name: 'forms', test: /\/src\/kit\/form\/(?!widgets\/(?:date-time|cron|json))/u, priority: 3 },
  {
    name: (id, graph) => (isOfScreen(id, graph) ? areaOf(id) : `${areaOf(id)}-more`),
    debugName: 'areas of views',
    test: /\/src\/views\/(?!\w+\/routes\.ts)/u,
    includeDependenciesRecursively: false,
    priority: 2,
  },
]
