import { inSameOrganization } from '../routes/navigation.tsx'

interface ToastLinkProps {
  to: string
  /** Where the console lies on this site (`/ui/`): toasts are shown outside of the router. */
  home: string
  go: (to: string) => Promise<void>
  text: string
}

/** A link to a page of the console inside a toast. */
export function ToastLink({ to, home, go, text }: ToastLinkProps) {
  return (
    <a
      href={`${home.replace(/\/$/u, '')}${inSameOrganization(to)}`}
      onClick={(event) => {
        event.preventDefault()
        void go(to)
      }}
    >
      {text}
    </a>
  )
}
