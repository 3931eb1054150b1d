export * from './language.ts'
export { errors, type ErrorKey } from './errors.ts'
export { choiceLabels, help, labels, models } from './resources.ts'
