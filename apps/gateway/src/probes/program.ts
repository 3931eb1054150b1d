/** The program that tries targets. It goes with other programs on this machine, whatever the gateway does, and ends with the gateway. */
import { ApiClient } from '../api/client.ts'
import { Transport } from '../api/transport.ts'
import { standBack } from '../priority.ts'
import { Zones } from '../targets/zones/zones.ts'
import { carryOut } from './batch.ts'
import { type Done, orderSchema } from './prober.ts'

standBack()
let api: ApiClient | undefined
let ways: Zones | undefined

const tell = (done: Done) => process.send?.(done)

process.on('disconnect', () => process.exit())
process.on('message', (message) => {
  const { origin, batch, key } = orderSchema.parse(message)
  api ??= new ApiClient(new Transport(new URL(origin)))
  api.transport.key = key
  // What is wrong with gateways of zones is told with what came of the targets.
  ways ??= new Zones(api, { warn: () => {} })
  carryOut(api, batch, ways).then(
    (trouble) => tell({ batch, ...(trouble && { error: String(trouble) }) }),
    (error: unknown) => tell({ batch, error: String(error) }),
  )
})
