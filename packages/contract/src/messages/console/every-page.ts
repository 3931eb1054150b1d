/** What every page of the console needs, so that a browser asks once for it. */
import * as kit from '../kit.ts'
import * as shell from './shell.ts'

export const en = { kit: kit.en, shell: shell.en }
export const zh = { kit: kit.zh, shell: shell.zh }
export const ja = { kit: kit.ja, shell: shell.ja }
