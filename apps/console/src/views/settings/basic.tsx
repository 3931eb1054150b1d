import { BasicSettings } from '@sallyport/contract/resources/setting-pages'
import type { FormSituation } from '../../kit/form/form-spec.ts'
import { FormPage } from '../../kit/form/form-page.tsx'
import { Page } from '../../kit/page/page.tsx'
import { refreshSettings } from '../../kit/session/refresh-settings.ts'

const licensed = { hidden: (_values: unknown, { access }: FormSituation) => !access.hasLicence }

/** Where the platform is reached, what it is called, and what everybody is told. */
export default function Basic() {
  return (
    <Page>
      <FormPage
        resource={BasicSettings}
        groups={[
          ['basic', ['SITE_URL', 'GLOBAL_ORG_DISPLAY_NAME', 'USER_GUIDE_URL', 'FORGOT_PASSWORD_URL']],
          ['settings:settingsFeatures', ['TICKETS_ENABLED']],
          [
            'settings:settingsAnnouncement',
            ['ANNOUNCEMENT_ENABLED', 'ANNOUNCEMENT.SUBJECT', 'ANNOUNCEMENT.CONTENT', 'ANNOUNCEMENT.LINK'],
          ],
        ]}
        fields={{
          GLOBAL_ORG_DISPLAY_NAME: licensed,
          TICKETS_ENABLED: licensed,
          'ANNOUNCEMENT.CONTENT': { widget: 'textarea' },
        }}
        onSaved={() => void refreshSettings()}
      />
    </Page>
  )
}
