/** What resources, their fields and their choices are called. One file an app under apps/. */
import * as common from './apps/common.ts'
import * as users from './apps/users.ts'
import { catalogue, merge } from './language.ts'

/** Field labels: the field's own name, or `app.model.field` where a resource calls it differently. */
export const labels = merge(common.labels, users.labels)
/** Labels of choices: `{set}.{value}`. */
export const choiceLabels = merge(common.choices)
/** What a row of a resource is called: `app.model`. */
export const models = merge(users.models)
/** Help texts under a form's controls. */
export const help = catalogue({ en: {}, zh: {}, ja: {} })
