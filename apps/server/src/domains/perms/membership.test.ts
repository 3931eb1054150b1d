/** Organizations, people and grants together, in the whole server. */
import { expect, it } from 'vitest'
import { startTestSystem } from '../../testing.ts'

const system = await startTestSystem()
