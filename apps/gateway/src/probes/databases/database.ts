import type { ProbeTarget } from '@sallyport/contract/gateway/probes'

/** A database as somebody signs in to it. */
export interface Database {
  address: string
  port: number
  db_name: string
  tls: ProbeTarget['asset']['tls']
  username: string
  secret: string
}
