import { startI18n } from '../i18n/index.ts'

await startI18n(['console'])
