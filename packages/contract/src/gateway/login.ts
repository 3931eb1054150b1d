/** A person's sign-in through a gateway: `POST authentication/tokens/`, and what follows it. */
import { z } from 'zod'
import { profileSchema } from './grants.ts'

const refusedSchema = z.object({
  error: z.string(),
  msg: z
    .string()
    .nullish()
    .transform((text) => text ?? ''),
  /** Of a second factor: which there are, and where the code goes. */
  data: z
    .object({ choices: z.array(z.string()).optional(), url: z.string().optional() })
    .nullish()
    .catch(undefined),
})
export const loginAnswerSchema = z.union([
  z.object({
    token: z.string(),
    user: profileSchema,
    /** When, by the clock that orders to disconnect are told by too (`before_ms`). Servers of other make say nothing of it. */
    signed_in_ms: z.number().optional(),
  }),
  refusedSchema,
])

export const okSchema = z.object({ msg: z.literal('ok') })
