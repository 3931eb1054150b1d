/** argon2id, as it is run in threads of its own. */
import { hashSync, verifySync } from '@node-rs/argon2'

// OWASP's parameters for argon2id: 19 MiB, two passes, one lane.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hash = (password: string): string => hashSync(password, parameters)

const nobodys = hash('nobody has this password')

/** Takes as long when there is nothing stored to compare with. */
export const verify = ({ stored, given }: { stored: string | undefined; given: string }): boolean =>
  verifySync(stored ?? nobodys, given) && stored !== undefined
