/** What resources, their fields and their choices are called. One file an app under apps/. */
import * as audits from './apps/audits.ts'
import * as authentication from './apps/authentication.ts'
import * as common from './apps/common.ts'
import * as orgs from './apps/orgs.ts'
import * as rbac from './apps/rbac.ts'
import * as users from './apps/users.ts'
import { catalogue, merge } from './language.ts'

/** Field labels: the field's own name, or `app.model.field` where a resource calls it differently. */
export const labels = merge(
  common.labels,
  users.labels,
  orgs.labels,
  rbac.labels,
  authentication.labels,
  audits.labels,
)
/** Labels of choices: `{set}.{value}`. */
export const choiceLabels = merge(
  common.choices,
  users.choices,
  rbac.choices,
  authentication.choices,
  audits.choices,
)
/** What a row of a resource is called: `app.model`. */
export const models = merge(users.models, orgs.models, rbac.models, authentication.models, audits.models)
/** Help texts under a form's controls. */
export const help = catalogue({ en: {}, zh: {}, ja: {} })
