import { Button } from './button.tsx'

interface NoticeProps {
  title: string
  text: string
  action?: { label: string; href: string } | { label: string; onClick: () => void }
}

/** A whole page's or pane's worth of "this is how it is", with the way on. */
export function Notice({ title, text, action }: NoticeProps) {
  return (
    <div className="notice" role="alert">
      <h1>{title}</h1>
      <p>{text}</p>
      {action && 'href' in action && (
        <a className="button button-primary" href={action.href}>
          {action.label}
        </a>
      )}
      {action && 'onClick' in action && (
        <Button look="primary" onClick={action.onClick}>
          {action.label}
        </Button>
      )}
    </div>
  )
}
