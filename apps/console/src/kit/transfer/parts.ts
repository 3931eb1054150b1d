import { withMessages } from '../../i18n/messages.ts'
import { lazyPart } from '../loading/lazy-part.tsx'

/** The dialogs, fetched with their texts when they are first opened. */
export const ImportDialog = lazyPart(() => withMessages('transfer', () => import('./import-dialog.tsx')))
export const ExportDialog = lazyPart(() => withMessages('transfer', () => import('./export-dialog.tsx')))
