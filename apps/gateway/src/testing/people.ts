/** Who and what the test server knows. */
export interface TestUser {
  id: string
  name: string
  username: string
  password: string
  /** base64 of the key in wire form */
  public_key?: string
}

/** A network zone: what lies in it is reached through one of these, in that order. */
export interface TestZone {
  id: string
  name: string
  gateways: TestHost[]
}

export interface TestAccount {
  username: string
  secret: string
  secret_type: 'password' | 'ssh_key'
}

export interface TestHost {
  id: string
  name: string
  address: string
  port: number
  /** What kind of machine it is; else Linux. */
  platform?: { name: string; category: string; type: string; old_ssh_version?: boolean }
  /** How accounts are switched to there. */
  su_method?: 'su' | 'sudo'
  accounts: (TestAccount & {
    id: string
    name: string
    su_from?: TestAccount & { id: string; name: string }
  })[]
  zone?: TestZone
}

export interface Grant {
  user: TestUser
  host: TestHost
  account: TestHost['accounts'][number]
  actions: string[]
  expire_at: number
}

/** As the API shows a person. */
export function publicUser({ id, name, username }: TestUser): { id: string; name: string; username: string } {
  return { id, name, username }
}
