import { InterfaceSetting } from '@sallyport/contract/resources/interface'
import { useQueryClient } from '@tanstack/react-query'
import { Button } from 'antd'
import { call } from '../../kit/api/call.ts'
import { queryKeys } from '../../kit/api/keys.ts'
import { pathOfOne } from '../../kit/api/one.ts'
import { ask } from '../../kit/confirm/ask.ts'
import { toast } from '../../kit/feedback/toast.ts'
import { FormPage } from '../../kit/form/form-page.tsx'
import { Page } from '../../kit/page/page.tsx'
import { refreshSettings } from '../../kit/session/refresh-settings.ts'
import { useMessages } from '../../kit/text.ts'
import { ThemeChoice } from './theme-choice.tsx'

/** What pages look like: title, colours, pictures. */
export default function InterfacePage() {
  return (
    <Page actions={<RestoreDefault />}>
      <FormPage
        resource={InterfaceSetting}
        groups={[
          ['basic', ['login_title', 'theme']],
          ['settings:interfaceLogos', ['logo_index', 'logo_logout', 'favicon']],
          ['settings:interfaceImages', ['login_image']],
        ]}
        fields={{ theme: { widget: ThemeChoice }, logo_index: { ground: 'banner' } }}
        onSaved={() => void refreshSettings()}
      />
    </Page>
  )
}

function RestoreDefault() {
  const text = useMessages()
  const client = useQueryClient()
  const restore = async () => {
    const { success } = await call(InterfaceSetting, 'restore', {})
    await client.invalidateQueries({ queryKey: queryKeys.resource(pathOfOne(InterfaceSetting)) })
    await refreshSettings()
    toast.success(success)
  }
  return (
    <Button
      onClick={() =>
        ask({
          title: text('settings:restoreDefault'),
          content: text('settings:restoreDefaultAsk'),
          confirmText: text('settings:restoreDefault'),
          danger: true,
          onConfirm: restore,
        })
      }
    >
      {text('settings:restoreDefault')}
    </Button>
  )
}
