import type { NavigateFunction } from 'react-router'

interface ToastLinkProps {
  to: string
  /** Where the console lies on this site (`/ui/`): toasts are shown outside of the router. */
  home: string
  navigate: NavigateFunction
  text: string
}

/** A link to a page of the console inside a toast. */
export function ToastLink({ to, home, navigate, text }: ToastLinkProps) {
  return (
    <a
      href={`${home.replace(/\/$/u, '')}${to}`}
      onClick={(event) => {
        event.preventDefault()
        void navigate(to)
      }}
    >
      {text}
    </a>
  )
}
