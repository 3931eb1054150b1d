export * from './constraints.ts'
export * from './platforms.ts'
export * from './protocols.ts'
export * from './types.ts'
