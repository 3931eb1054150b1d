import type { Domain } from '../../kernel/domain.ts'
import { singletons } from './resources.ts'

export { createSettings, type Settings, settingSql } from './service.ts'

export const domain = (countAssets: () => Promise<number>): Domain => ({
  name: 'settings',
  singletons: singletons(countAssets),
})
