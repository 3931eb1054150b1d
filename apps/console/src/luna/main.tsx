import './luna.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startI18n } from '../i18n/index.ts'
import { callsAtOnce } from '../kit/api/calls-at-once.ts'
import { App } from './app.tsx'
import { startTextFont } from '../kit/theme/fonts.ts'
import { startTheme } from '../kit/theme/paint.ts'

startTheme()
await Promise.all([startI18n(['luna', 'kit']), startTextFont()])

const root = document.getElementById('root')
if (!root) throw new Error('luna.html has no #root')
const client = new QueryClient({
  defaultOptions: { ...callsAtOnce, queries: { ...callsAtOnce.queries, staleTime: 30_000 } },
})

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
)
