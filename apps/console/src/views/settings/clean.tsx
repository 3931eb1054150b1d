import { CleanSettings } from '@sallyport/contract/resources/setting-pages'
import dayjs from 'dayjs'
import { FormPage } from '../../kit/form/form-page.tsx'
import { Page } from '../../kit/page/page.tsx'
import { useMessages } from '../../kit/text.ts'

const cleanedAtUtcHour = 2

/** When the server cleans, as the clock of the person says. */
function cleanedAt(): string {
  const time = new Date()
  time.setUTCHours(cleanedAtUtcHour, 0, 0, 0)
  return dayjs(time).format('LT')
}

/** How long what is recorded is kept; only what something cleans. */
export default function Clean() {
  const text = useMessages()
  return (
    <Page help={text('settings:cleanHelp', { time: cleanedAt() })}>
      <FormPage
        resource={CleanSettings}
        groups={[
          [
            'settings:settingsRecords',
            [
              'LOGIN_LOG_KEEP_DAYS',
              'TASK_LOG_KEEP_DAYS',
              'OPERATE_LOG_KEEP_DAYS',
              'ACTIVITY_LOG_KEEP_DAYS',
              'TERMINAL_SESSION_KEEP_DURATION',
            ],
          ],
        ]}
      />
    </Page>
  )
}
