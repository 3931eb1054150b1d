import {
  MessageBackends,
  type SubscriptionGroup,
  SystemMsgSubscription,
} from '@sallyport/contract/resources/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Button, Checkbox } from 'antd'
import { Fragment, Suspense, useState } from 'react'
import { call } from '../../kit/api/call.ts'
import { api } from '../../kit/api/client.ts'
import { queryKeys } from '../../kit/api/keys.ts'
import { detailPath, listPath } from '../../kit/api/resource.ts'
import { useErrorToast } from '../../kit/feedback/errors.ts'
import { toast } from '../../kit/feedback/toast.ts'
import { FormFailed, FormWaiting } from '../../kit/form/form-states.tsx'
import { lazyPart } from '../../kit/loading/lazy-part.tsx'
import { Page } from '../../kit/page/page.tsx'
import { useKitText, useMessages } from '../../kit/text.ts'
import { nothing } from '../../kit/values/plain-value.ts'
import styles from './table.module.css'

type Subscription = SubscriptionGroup['children'][number]

const path = listPath(SystemMsgSubscription.path)
const key = [...queryKeys.resource(path), 'grouped']
const pathOf = (type: string) => detailPath(path, type)
const ReceiversDialog = lazyPart(() => import('./receivers-dialog.tsx'))

/** Who hears of what concerns the platform, and by what. */
export default function MessageSubscriptionPage() {
  const text = useMessages()
  const t = useKitText()
  const client = useQueryClient()
  const showError = useErrorToast()
  const [changed, setChanged] = useState<Subscription>()
  const backends = useQuery({
    queryKey: ['message-backends'],
    queryFn: ({ signal }) => call(MessageBackends, 'enabled', {}, { signal }),
  })
  const groups = useQuery({
    queryKey: key,
    queryFn: ({ signal }) => call(SystemMsgSubscription, 'grouped', {}, { signal }),
  })
  const error = groups.error ?? backends.error
  const retry = () => void Promise.all([groups.refetch(), backends.refetch()])
  const refresh = () => client.invalidateQueries({ queryKey: key })
  const tick = async (
    { message_type: type, receive_backends: chosen }: Subscription,
    name: string,
    isOn: boolean,
  ) => {
    const others = chosen.filter((one) => one !== name)
    try {
      await api.patch(pathOf(type), { receive_backends: isOn ? [...others, name] : others })
      toast.success(t('updateSuccess'))
    } catch (failure) {
      showError(failure)
    }
    await refresh()
  }
  if (error && !groups.data)
    return (
      <Page>
        <FormFailed error={error} onRetry={retry} />
      </Page>
    )
  if (!groups.data || !backends.data)
    return (
      <Page>
        <FormWaiting />
      </Page>
    )
  return (
    <Page>
      <div className={styles.frame}>
        <table className={styles.table}>
          <thead>
            <tr>
              <th scope="col">{text('settings:messageType')}</th>
              {backends.data.map(({ name, name_display: label }) => (
                <th key={name} scope="col">
                  {label}
                </th>
              ))}
              <th scope="col">{text('settings:receivers')}</th>
              <th scope="col">{t('actions')}</th>
            </tr>
          </thead>
          <tbody>
            {groups.data.map(({ category, category_label: label, children }) => (
              <Fragment key={category}>
                <tr>
                  <th scope="rowgroup" colSpan={backends.data.length + 3}>
                    {label}
                  </th>
                </tr>
                {children.map((one) => (
                  <tr key={one.message_type}>
                    <th scope="row">{one.message_type_label}</th>
                    {backends.data.map(({ name, name_display: way }) => (
                      <td key={name} data-label={way}>
                        <Checkbox
                          aria-label={`${one.message_type_label}: ${way}`}
                          checked={name === 'site_msg' || one.receive_backends.includes(name)}
                          disabled={name === 'site_msg'}
                          onChange={({ target }) => void tick(one, name, target.checked)}
                        />
                      </td>
                    ))}
                    <td data-label={text('settings:receivers')}>
                      {one.receivers.map(({ name }) => name).join(', ') || nothing}
                    </td>
                    <td>
                      <Button
                        size="small"
                        aria-label={`${text('settings:changeReceivers')}: ${one.message_type_label}`}
                        onClick={() => setChanged(one)}
                      >
                        {text('settings:changeReceivers')}
                      </Button>
                    </td>
                  </tr>
                ))}
              </Fragment>
            ))}
          </tbody>
        </table>
      </div>
      {changed && (
        <Suspense>
          <ReceiversDialog
            subscription={changed}
            onSaved={() => {
              toast.success(t('updateSuccess'))
              setChanged(undefined)
              void refresh()
            }}
            onClose={() => setChanged(undefined)}
          />
        </Suspense>
      )}
    </Page>
  )
}
