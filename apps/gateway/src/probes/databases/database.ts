/** A database as somebody signs in to it. */
export interface Database {
  address: string
  port: number
  db_name: string
  tls: { ca: string; allow_invalid: boolean } | null
  username: string
  secret: string
}
