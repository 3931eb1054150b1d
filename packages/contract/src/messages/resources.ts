/** What resources, their fields and their choices are called. One file an app under apps/. */
import * as accounts from './apps/accounts.ts'
import * as acls from './apps/acls.ts'
import * as assets from './apps/assets.ts'
import * as audits from './apps/audits.ts'
import * as authentication from './apps/authentication.ts'
import * as clean from './apps/clean.ts'
import * as common from './apps/common.ts'
import * as directory from './apps/directory.ts'
import * as ownInterface from './apps/interface.ts'
import * as license from './apps/license.ts'
import * as notifications from './apps/notifications.ts'
import * as ops from './apps/ops.ts'
import * as orgs from './apps/orgs.ts'
import * as permissions from './apps/permissions.ts'
import * as perms from './apps/perms.ts'
import * as probes from './apps/probes.ts'
import * as rbac from './apps/rbac.ts'
import * as security from './apps/security.ts'
import * as settings from './apps/settings.ts'
import * as signIn from './apps/sign-in.ts'
import * as sms from './apps/sms.ts'
import * as terminal from './apps/terminal.ts'
import * as tickets from './apps/tickets.ts'
import * as users from './apps/users.ts'
import { catalogue, merge } from './language.ts'

/** Field labels: the field's own name, or `app.model.field` where a resource calls it differently. */
export const labels = merge(
  common.labels,
  users.labels,
  orgs.labels,
  ops.labels,
  rbac.labels,
  authentication.labels,
  signIn.labels,
  audits.labels,
  assets.labels,
  accounts.labels,
  perms.labels,
  probes.labels,
  terminal.labels,
  settings.labels,
  directory.labels,
  sms.labels,
  license.labels,
  ownInterface.labels,
  security.labels,
  clean.labels,
  acls.labels,
  tickets.labels,
  notifications.labels,
)
/** Labels of choices: `{set}.{value}`. */
export const choiceLabels = merge(
  common.choices,
  users.choices,
  rbac.choices,
  ops.choices,
  authentication.choices,
  audits.choices,
  assets.choices,
  accounts.choices,
  perms.choices,
  terminal.choices,
  settings.choices,
  sms.choices,
  ownInterface.choices,
  security.choices,
  acls.choices,
  tickets.choices,
)
/** What a row of a resource is called: `app.model`. */
export const models = merge(
  users.models,
  orgs.models,
  ops.models,
  rbac.models,
  authentication.models,
  signIn.models,
  audits.models,
  assets.models,
  accounts.models,
  perms.models,
  probes.models,
  terminal.models,
  settings.models,
  directory.models,
  sms.models,
  license.models,
  ownInterface.models,
  security.models,
  clean.models,
  acls.models,
  tickets.models,
  notifications.models,
)
/** What permissions are about (`app.resource`), let one do, and stand under. */
export const permissionSubjects = merge(permissions.subjects, models)
export const { actions: permissionVerbs, groups: permissionGroups } = permissions
/** What declared calls are called: `app.model.call`. */
export const callLabels = merge(
  users.calls,
  authentication.calls,
  signIn.calls,
  assets.calls,
  accounts.calls,
  terminal.calls,
  probes.calls,
  directory.calls,
  ops.calls,
  license.calls,
  ownInterface.calls,
)
/** Help texts under a form's controls. */
const ownHelp = catalogue({
  en: {
    kind_of_row: 'Filtered by the name in English or in your language, or by app.model.',
    city: 'Filtered by the name in English or in your language.',
  },
  zh: {
    kind_of_row: '可按英文名称、您所用语言的名称或 app.model 过滤。',
    city: '可按英文名称或您所用语言的名称过滤。',
  },
  ja: {
    kind_of_row: '英語名、ご利用の言語での名前、または app.model で絞り込めます。',
    city: '英語名、またはご利用の言語での名前で絞り込めます。',
  },
})
export const help = merge(ownHelp, ownInterface.help, notifications.help, directory.help, sms.help, acls.help)
/** Words the server puts into trees and lists. */
export const serverTexts = merge(
  assets.texts,
  accounts.texts,
  terminal.texts,
  probes.texts,
  ops.texts,
  notifications.texts,
  directory.texts,
  sms.texts,
  signIn.texts,
  tickets.texts,
  license.texts,
  ownInterface.texts,
)
