import { pinnedEnv } from './workspace.mjs'

/** What every program may need of its surroundings; nothing of it is ours. */
const surroundings = [
  'HOME',
  'LANG',
  'LC_ALL',
  'LOGNAME',
  'NODE_EXTRA_CA_CERTS',
  'TERM',
  'TMPDIR',
  'TZ',
  'USER',
]
/** What a gateway is configured by. */
export const gatewaySettings = [
  'SALLYPORT_API',
  'SALLYPORT_BOOTSTRAP_TOKEN',
  'SALLYPORT_DATA',
  'SALLYPORT_EXEC_RECORD_BYTES',
  'SALLYPORT_GATEWAY_HTTP',
  'SALLYPORT_LOG',
  'SALLYPORT_SSH',
  'SALLYPORT_SSH_PROXIES',
  'SALLYPORT_SSH_STARTUPS',
  'SALLYPORT_SSH_STARTUPS_OF_ADDRESS',
]

/**
 * The threads of Node (four, by itself), which a program's files, compression and lookups of names share. Some of the server's may be lost to
 * a storage that hangs; of the gateway's, half look up names, which takes long where a nameserver is silent.
 */
const threads = { server: '16', gateway: '32' }

/**
 * @param {'server' | 'gateway'} program
 * @returns {NodeJS.ProcessEnv} as the operator set it, or ours
 */
export const threadsOf = (program) => ({
  UV_THREADPOOL_SIZE: process.env.UV_THREADPOOL_SIZE ?? threads[program],
})

/**
 * An environment of `names` and the surroundings only: programs that face strangers inherit neither the secret key nor the database's
 * address.
 * @param {readonly string[]} names
 * @param {NodeJS.ProcessEnv} [extra]
 * @returns {NodeJS.ProcessEnv}
 */
export function bareEnv(names, extra = {}) {
  const all = pinnedEnv(extra)
  const wanted = ['PATH', ...surroundings, ...names, ...Object.keys(extra)]
  return Object.fromEntries(wanted.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])))
}
