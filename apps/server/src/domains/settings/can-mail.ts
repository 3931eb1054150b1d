import type { SettingValues } from '@sallyport/contract'

/** Whether mail can be sent: a mail server and an account are set. */
export const canMail = ({ settings }: { settings: Pick<SettingValues, 'EMAIL_HOST' | 'EMAIL_HOST_USER'> }) =>
  Boolean(settings.EMAIL_HOST) && Boolean(settings.EMAIL_HOST_USER)
