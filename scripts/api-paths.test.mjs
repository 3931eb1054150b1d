/** Clients make requests from what the contract declares: no address of the API is written by hand in an app that asks it. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import * as contract from '@sallyport/contract'
import { expect, test } from 'vitest'

const top = join(import.meta.dirname, '..')
const exceptions = {
  // What a relative path is relative to.
  'apps/console/src/kit/api/client.ts': ['/api/v1/${bare}'],
  // An address somebody came with is looked at, not asked.
  'apps/console/src/app/addresses.ts': ['/core/auth/logout'],
}

/** What declared paths begin with: `users`, `assets`. */
const apps = [
  ...new Set(Object.values(contract).flatMap((one) => (one?.path && one.app ? one.path.split('/')[0] : []))),
]
const comment = /\/\*[^]*?\*\/|^\s*\/\/.*$/gmu
const fromRoot = /(?<=[\s'"`}])\/(?:api|core|ws)\/[^\s'"`]*/gu
const relative = new RegExp(`(?<=['"\`])(?:${apps.join('|')})/[^\\s'"\`]*/(?=['"\`])`, 'gu')
/** `api.get('…')`, where more than the parts of a template stands in the literal. */
const inCall = /(?<=\bapi\.\w+(?:<[^()]*>)?\(\s*(['"`]))(?!(?:\$\{[^}]*\})*\1)(?:\\.|(?!\1)[^\\])*/gu

/** Paths that stand in a program. */
function pathsIn(text) {
  const code = text.replaceAll(comment, '')
  const found = [fromRoot, relative, inCall].flatMap((kind) => [...code.matchAll(kind)])
  return [...new Set(found.map(([path]) => path))]
}

test('no address of the API is written by hand in the console or the gateway', () => {
  const sources = execFileSync('git', ['ls-files', 'apps/console/src', 'apps/gateway/src'], { cwd: top })
    .toString()
    .split('\n')
    .filter((path) => /\.tsx?$/u.test(path) && !/\.test\.tsx?$|\/testing\//u.test(path))
  expect(sources.length).toBeGreaterThan(300)
  const found = sources.flatMap((path) => {
    const paths = pathsIn(readFileSync(join(top, path), 'utf8'))
    return paths.length === 0 ? [] : [[path, paths]]
  })
  expect(Object.fromEntries(found)).toEqual(exceptions)
})

test.each([
  ["const path = isOld ? undefined : `${base ?? '/api/v1/users/users/'}`", '/api/v1/users/users/'],
  ['new WebSocket(`wss://${host}/ws/ops/tasks/log/`)', '/ws/ops/tasks/log/'],
  ["readAll('users/profile/')", 'users/profile/'],
  ['await api.put(`${detailPath(path, id)}${what}/`)', '${detailPath(path, id)}${what}/'],
  ["api.post<{ spm: string }>(\n  'common/resources', body)", 'common/resources'],
])('it is noticed in %s', (code, path) => {
  expect(pathsIn(code)).toEqual([path])
})

test.each([
  "import { api } from '../api/client.ts'",
  '/** Served at `/api/v1/users/users/`. */',
  'api.raw(`${detailUrl(Session, id)}${chunkPath(1, 2)}`)',
  "{ path: 'assets/detail', title: 'asset' }",
])('nothing is seen in %s', (code) => {
  expect(pathsIn(code)).toEqual([])
})
