import type { ButtonHTMLAttributes } from 'react'
import { Icon, type IconName } from './icons.tsx'

type Props = ButtonHTMLAttributes<HTMLButtonElement> & {
  look?: 'primary' | 'plain' | 'danger'
  icon?: IconName
}

export function Button({ look = 'plain', icon, className = '', children, ...rest }: Props) {
  return (
    <button type="button" className={`button button-${look} ${className}`} {...rest}>
      {icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

type IconButtonProps = ButtonHTMLAttributes<HTMLButtonElement> & {
  icon: IconName
  label: string
  filled?: boolean
}

/** A button that shows only an icon; its label is its name and its tip. */
export function IconButton({ icon, label, filled = false, className = '', ...rest }: IconButtonProps) {
  return (
    <button type="button" className={`icon-button ${className}`} aria-label={label} title={label} {...rest}>
      <Icon name={icon} filled={filled} />
    </button>
  )
}
