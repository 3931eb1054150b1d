import { loadMessages } from '../../i18n/messages.ts'
import { lazyPart } from '../loading/lazy-part.tsx'

async function withTexts<T>(load: Promise<T>): Promise<T> {
  const [part] = await Promise.all([load, loadMessages('transfer')])
  return part
}

/** The dialogs, fetched with their texts when they are first opened. */
export const ImportDialog = lazyPart(() => withTexts(import('./import-dialog.tsx')))
export const ExportDialog = lazyPart(() => withTexts(import('./export-dialog.tsx')))
