import { MailFilled, MailOutlined } from '@ant-design/icons'
import { SiteMessage } from '@sallyport/contract/resources/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { Button, Checkbox, Drawer, Empty, Pagination, Segmented, Spin } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../kit/api/call.ts'
import { useList } from '../../../kit/api/hooks.ts'
import { queryKeys } from '../../../kit/api/keys.ts'
import { listPath } from '../../../kit/api/resource.ts'
import { ask } from '../../../kit/confirm/ask.ts'
import { Time } from '../../../kit/dates/time.tsx'
import { describeError, useErrorToast } from '../../../kit/feedback/errors.ts'
import { useKitText } from '../../../kit/text.ts'
import { MessageDialog } from './message-dialog.tsx'
import styles from './site-messages.module.css'

const pageSize = 15

interface SiteMessagesDrawerProps {
  unread: number
  /** How many are unread now, after some were read here. */
  onUnread: (count: number) => void
  onClose: () => void
}

/** The messages of the site: unread or all, read one by one, several or all at once. */
export default function SiteMessagesDrawer({ unread, onUnread, onClose }: SiteMessagesDrawerProps) {
  const { t } = useTranslation()
  const kit = useKitText()
  const client = useQueryClient()
  const showError = useErrorToast()
  const [shown, setShown] = useState<'unread' | 'all'>('unread')
  const [page, setPage] = useState(1)
  const [ticked, setTicked] = useState<readonly string[]>([])
  const [opened, setOpened] = useState<SiteMessage>()
  const query = {
    offset: (page - 1) * pageSize,
    limit: pageSize,
    ...(shown === 'unread' && { has_read: 'false' }),
    // Another one asks again.
    unread,
  }
  const list = useList<SiteMessage>(SiteMessage.path, query)
  const rows = list.data?.results ?? []
  const total = list.data?.count ?? 0

  const show = (which: 'unread' | 'all') => {
    setShown(which)
    setPage(1)
    setTicked([])
  }
  const after = async () => {
    setTicked([])
    if (rows.length <= 1 && page > 1) setPage(page - 1)
    const { total: left } = await call(SiteMessage, 'unreadTotal', {})
    onUnread(left)
    await client.invalidateQueries({ queryKey: queryKeys.resource(listPath(SiteMessage.path)) })
  }
  const markRead = async (ids: readonly string[]) => {
    await call(SiteMessage, 'markAsRead', { body: { ids } })
    await after()
  }
  const markTicked = (ids: readonly string[]) => void markRead(ids).catch(showError)
  const markAll = () =>
    ask({
      title: t('markAllRead'),
      content: t('markAllReadConfirm'),
      onConfirm: async () => {
        await call(SiteMessage, 'markAllAsRead', {})
        await after()
      },
    })

  return (
    <Drawer
      open
      title={t('siteMessages')}
      mask={false}
      size={globalThis.innerWidth < 992 ? '70%' : 380}
      rootClassName={styles.drawer}
      closable={{ 'aria-label': kit('close') }}
      extra={
        unread > 0 && (
          <Button type="link" size="small" onClick={markAll}>
            {t('markAllRead')}
          </Button>
        )
      }
      onClose={onClose}
    >
      <div className={styles.bar}>
        <Segmented
          size="small"
          aria-label={t('siteMessages')}
          value={shown}
          options={[
            { value: 'unread', label: t('messagesUnread') },
            { value: 'all', label: t('messagesAll') },
          ]}
          onChange={show}
        />
        {ticked.length > 0 && (
          <Button type="link" size="small" onClick={() => markTicked(ticked)}>
            {t('markTickedRead', { count: ticked.length })}
          </Button>
        )}
      </div>
      {list.error && (
        <p role="alert" className={styles.failed}>
          {describeError(list.error, kit)}{' '}
          <Button size="small" onClick={() => void list.refetch()}>
            {kit('retry')}
          </Button>
        </p>
      )}
      {list.isPending && <Spin />}
      {list.data && rows.length === 0 && (
        <Empty
          image={Empty.PRESENTED_IMAGE_SIMPLE}
          description={t(shown === 'unread' ? 'noUnreadMessages' : 'noMessages')}
        />
      )}
      <ul className={styles.list}>
        {rows.map((message) => (
          <li key={message.id} data-read={message.has_read}>
            {!message.has_read && (
              <Checkbox
                aria-label={message.content.subject}
                checked={ticked.includes(message.id)}
                onChange={({ target }) =>
                  setTicked(
                    target.checked ? [...ticked, message.id] : ticked.filter((one) => one !== message.id),
                  )
                }
              />
            )}
            <button type="button" className={styles.message} onClick={() => setOpened(message)}>
              {message.has_read ? (
                <MailOutlined aria-hidden />
              ) : (
                <MailFilled className={styles.unread} aria-hidden />
              )}
              <span className={styles.subject}>{message.content.subject}</span>
            </button>
            <span className={styles.when}>
              <Time value={message.date_created} />
            </span>
            {!message.has_read && (
              <Button
                className={styles.mark}
                type="link"
                size="small"
                onClick={() => markTicked([message.id])}
              >
                {t('markRead')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {total > pageSize && (
        <Pagination
          size="small"
          align="center"
          simple
          current={page}
          pageSize={pageSize}
          total={total}
          showSizeChanger={false}
          onChange={(next) => {
            setPage(next)
            setTicked([])
          }}
        />
      )}
      {opened && (
        <MessageDialog
          message={opened}
          onRead={async () => {
            await markRead([opened.id])
            setOpened(undefined)
          }}
          onClose={() => setOpened(undefined)}
        />
      )}
    </Drawer>
  )
}
