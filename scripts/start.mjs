/** `npm start`, `npm run demo` (--demo) and `npm run dev` (--dev): installs, builds, starts and keeps everything running. */
import { join, resolve } from 'node:path'
import { buildConsole } from './lib/console.mjs'
import { startDemoSshd } from './lib/demo-sshd.mjs'
import { bareEnv, gatewaySettings, threadsOf } from './lib/environment.mjs'
import { gatewayFlags } from './lib/gateway-flags.mjs'
import { EarlyExit, runLast, Supervised } from './lib/supervisor.mjs'
import { installPackages, node, pinnedEnv, root, run, ScriptError } from './lib/workspace.mjs'

const gatewayStopTimeoutMs = 15_000
const serverStopTimeoutMs = 11_000

const isDev = process.argv.includes('--dev')
const isDemo = process.argv.includes('--demo')
const roles = (process.env.SALLYPORT_ROLES || 'api,worker,gateway').split(',').map((role) => role.trim())
const dataDir = resolve(process.env.SALLYPORT_DATA || './data')
/** In the order in which they are started; they are stopped the other way round. */
const running = []

async function main() {
  await installPackages()
  const hasServer = roles.some((role) => role !== 'gateway')
  if (hasServer && !isDev) await buildConsole()
  const server = hasServer ? await startServer() : undefined
  if (roles.includes('gateway')) await startGateway(server?.origin)
  if (isDev) await startConsole(server?.origin)
  if (isDemo) await fillDemo()
  if (server !== undefined) greet(server)
}

/** A server that was killed, or never came up, has not stopped its database. */
const databaseStop = {
  command: node,
  args: [join(root, 'apps/server/src/stop-database.ts')],
  env: bareEnv([], { SALLYPORT_DATA: dataDir }),
}

async function startServer() {
  if (!process.env.DATABASE_URL) runLast(databaseStop)
  const env = environment(threadsOf('server'))
  return await start({ name: 'server', ...program('apps/server/src/main.ts'), env })
}

async function startGateway(origin) {
  const env = bareEnv(gatewaySettings, {
    ...threadsOf('gateway'),
    SALLYPORT_DATA: dataDir,
    ...(process.env.SALLYPORT_API ? {} : { SALLYPORT_API: origin }),
  })
  const gateway = program('apps/gateway/src/main.ts', gatewayFlags)
  return await start({ name: 'gateway', ...gateway, env, quietReadyMs: 5000 })
}

async function startConsole(origin) {
  const vite = { command: 'vite', args: [], cwd: join(root, 'apps/console') }
  const env = environment(origin === undefined ? {} : { SALLYPORT_API_ORIGIN: origin })
  return await start({ name: 'console', ...leashed(vite), env, quietReadyMs: 1000 })
}

async function fillDemo() {
  const address = await startDemoSshd(dataDir, (sshd) =>
    start({ name: 'demo host', ...leashed({ ...sshd, cwd: '/' }), env: bareEnv([]), quietReadyMs: 1000 }),
  )
  const code = await run(node, [join(root, 'apps/server/src/demo.ts')], {
    env: environment({
      SALLYPORT_DEMO_HOST: address.host,
      SALLYPORT_DEMO_PORT: String(address.port),
      SALLYPORT_DEMO_USERNAME: address.username,
      SALLYPORT_DEMO_PRIVATE_KEY_FILE: address.private_key_file,
      SALLYPORT_DEMO_HOST_KEY: address.host_key,
    }),
  })
  if (code !== 0) throw new ScriptError('The demo could not be filled; see above.')
}

function greet({ origin, first_password: password }) {
  if (origin === undefined) console.log('\nThe worker is ready.')
  else console.log(`\nSallyport is ready: ${isDev ? 'http://127.0.0.1:5173' : origin}/ui/`)
  if (password !== undefined) {
    console.log(`Log in as admin with the password ${password} (shown only this once).`)
  }
}

function program(path, flags = []) {
  const watching = isDev ? ['--watch', '--watch-preserve-output'] : []
  return { command: node, args: [...flags, ...watching, join(root, path)] }
}

function leashed(foreign) {
  return { command: node, args: [join(root, 'scripts/lib/leashed.mjs'), JSON.stringify(foreign)] }
}

function environment(extra = {}) {
  return pinnedEnv({ ...extra, SALLYPORT_DATA: dataDir })
}

async function start(what) {
  const supervised = new Supervised(what)
  running.push(supervised)
  return await supervised.start()
}

let stopping
function stopAll() {
  stopping ??= (async () => {
    for (const supervised of running.toReversed()) {
      await supervised.stop(supervised.what.name === 'server' ? serverStopTimeoutMs : gatewayStopTimeoutMs)
    }
    if (!running.some(({ what }) => what.name === 'server') || process.env.DATABASE_URL) return
    if ((await run(node, databaseStop.args, { env: databaseStop.env })) === 0) runLast(null)
  })()
  return stopping
}

for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) {
  process.on(signal, () => {
    stopAll().then(
      () => process.exit(0),
      (error) => {
        console.error(error)
        process.exit(1)
      },
    )
  })
}

main().catch(async (error) => {
  if (stopping !== undefined) return
  // A program that ended early has said why in its own words.
  if (!(error instanceof EarlyExit)) console.error(error instanceof ScriptError ? error.message : error)
  await stopAll()
  process.exit(1)
})
