export * from './permission-id.ts'
export * from './permissions.ts'
export * from './roles.ts'
