import { inject } from 'vitest'

/** Where the console lies, as built for this run (project `browser`). */
export const builtFolder = () => inject('consoleFolder')
