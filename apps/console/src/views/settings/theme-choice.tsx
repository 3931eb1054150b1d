import { InterfaceSetting } from '@sallyport/contract/resources/interface'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { call } from '../../kit/api/call.ts'
import type { WidgetProps } from '../../kit/form/form-spec.ts'
import { RadioWidget } from '../../kit/form/widgets/choices.tsx'
import { currentSession } from '../../kit/session/session.ts'
import { applyInterface } from '../../kit/theme/interface.ts'
import { setThemeColors } from '../../kit/theme/platform-colors.ts'

/** The themes there are; the page tries on the one that is chosen, until it is left. */
export function ThemeChoice(props: WidgetProps) {
  const { value } = props
  const { data: themes } = useQuery({
    queryKey: ['interface-themes'],
    queryFn: ({ signal }) => call(InterfaceSetting, 'themes', {}, { signal }),
    staleTime: Infinity,
  })
  const colors = themes?.find(({ name }) => name === value)?.colors
  useEffect(() => {
    if (colors) setThemeColors(colors)
  }, [colors])
  useEffect(
    () => () => {
      const session = currentSession()
      if (session) applyInterface(session.settings.INTERFACE)
    },
    [],
  )
  return <RadioWidget {...props} />
}
