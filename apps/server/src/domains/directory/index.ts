import type { Domain } from '../../kernel/domain.ts'
import type { CheckConfirmed } from '../settings/index.ts'
import { directoryCalls } from './calls.ts'
import type { DirectoryServices } from './service.ts'
import { ldapSettings } from './settings-page.ts'

export {
  createDirectory,
  isCheckedThere,
  isUnanswered,
  type Directory,
  type DirectoryServices,
} from './service.ts'

export function domain(services: DirectoryServices, checkConfirmed: CheckConfirmed): Domain {
  const { calls, reading } = directoryCalls(services, checkConfirmed)
  return {
    name: 'directory',
    singletons: [ldapSettings(services.settings, services.orgs, checkConfirmed)],
    services: [calls],
    executions: [reading],
  }
}
