/** The thread that tries targets. It goes with other programs on this machine, whatever the gateway does. */
import { parentPort, workerData } from 'node:worker_threads'
import { ApiClient } from '../api/client.ts'
import { Transport } from '../api/transport.ts'
import { standBack } from '../priority.ts'
import { carryOut } from './batch.ts'
import type { Done, Order } from './prober.ts'

standBack()
if (!parentPort) throw new Error('not a worker')
const port = parentPort
const api = new ApiClient(new Transport(new URL(String(workerData))))

port.on('message', ({ batch, key }: Order) => {
  api.transport.key = key
  carryOut(api, batch).then(
    () => port.postMessage({ batch } satisfies Done),
    (error: unknown) => port.postMessage({ batch, error: String(error) } satisfies Done),
  )
})
