import {
  type Channel,
  MessageBackends,
  UserMsgSubscription,
} from '@sallyport/contract/resources/notifications'
import { useQuery } from '@tanstack/react-query'
import { Switch } from 'antd'
import { useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { TitledCard } from '../../kit/detail/card.tsx'
import styles from '../../kit/detail/detail.module.css'
import { useErrorToast } from '../../kit/feedback/errors.ts'
import { toast } from '../../kit/feedback/toast.ts'
import { useSession } from '../../kit/session/session.ts'
import { useKitText } from '../../kit/text.ts'
import { refreshProfile } from '../../kit/session/refresh-profile.ts'

/** By which of the ways that are set up somebody wants their messages; those of the site always come. */
export function MessageSubscription() {
  const t = useKitText()
  const showError = useErrorToast()
  const { profile } = useSession()
  const [busy, setBusy] = useState<Channel>()
  const backends = useQuery({
    queryKey: ['message-backends'],
    queryFn: ({ signal }) => call(MessageBackends, 'enabled', {}, { signal }),
  })
  const change = async (name: Channel, isOn: boolean) => {
    setBusy(name)
    const others = profile.receive_backends.filter((one) => one !== name)
    try {
      await call(UserMsgSubscription, 'change', {
        user_id: profile.id,
        body: { receive_backends: isOn ? [...others, name] : others },
      })
      await refreshProfile()
      toast.success(t('updateSuccess'))
    } catch (error) {
      showError(error)
    }
    setBusy(undefined)
  }
  const rows = (backends.data ?? []).toSorted((a) => (a.name === 'site_msg' ? -1 : 0))
  if (rows.length === 0) return null
  return (
    <TitledCard title="profile:messageSubscription">
      <div className={styles.quick}>
        {rows.map(({ name, name_display: label }) => (
          <div key={name}>
            <span>{label}</span>
            <Switch
              aria-label={label}
              checked={name === 'site_msg' || profile.receive_backends.includes(name)}
              loading={busy === name}
              disabled={name === 'site_msg' || busy !== undefined}
              onChange={(isOn) => void change(name, isOn)}
            />
          </div>
        ))}
      </div>
    </TitledCard>
  )
}
