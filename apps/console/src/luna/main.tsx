import './luna.css'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { startI18n } from '../i18n/index.ts'
import { App } from './app.tsx'
import { startAppearance } from './appearance.ts'

startAppearance()
await startI18n(['luna', 'kit'])

const root = document.getElementById('root')
if (!root) throw new Error('luna.html has no #root')
const client = new QueryClient({
  defaultOptions: { queries: { retry: false, refetchOnWindowFocus: false, staleTime: 30_000 } },
})

createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <App />
    </QueryClientProvider>
  </StrictMode>,
)
