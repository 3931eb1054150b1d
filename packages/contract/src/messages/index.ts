export * from './language.ts'
export { errors, type ErrorKey } from './errors.ts'
export {
  callLabels,
  choiceLabels,
  help,
  labels,
  models,
  permissionGroups,
  permissionSubjects,
  permissionVerbs,
  serverTexts,
} from './resources.ts'
export { texts as auditTexts } from './apps/audits.ts'
export { mail as mailTexts } from './apps/mail.ts'
export { names as orgNames } from './apps/orgs.ts'
export { roleNames } from './apps/rbac.ts'
