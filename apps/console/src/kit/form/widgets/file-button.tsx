import { Button } from 'antd'
import { type ReactNode, useRef } from 'react'
import { useKitText } from '../../text.ts'
import type { WidgetProps } from '../form-spec.ts'

interface FileButtonProps extends Pick<WidgetProps, 'id' | 'disabled' | 'describedBy'> {
  icon: ReactNode
  accept?: string | undefined
  onChosen: (file: File) => void
  /** Beside the button: what is chosen. */
  children?: ReactNode
}

/** Has the person choose a file of their own; the same one can be chosen again once it is mended. */
export function FileButton({ id, disabled, describedBy, icon, accept, onChosen, children }: FileButtonProps) {
  const t = useKitText()
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <Button
        id={id}
        icon={icon}
        aria-labelledby={`${id}-label ${id}`}
        aria-describedby={describedBy}
        disabled={disabled}
        onClick={() => input.current?.click()}
      >
        {t('chooseFile')}
      </Button>
      {children}
      <input
        ref={input}
        type="file"
        hidden
        accept={accept}
        aria-labelledby={`${id}-label`}
        onChange={({ target }) => {
          const chosen = target.files?.item(0)
          target.value = ''
          if (chosen) onChosen(chosen)
        }}
      />
    </>
  )
}
