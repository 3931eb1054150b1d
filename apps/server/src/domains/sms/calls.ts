/** What administrators try: whether a text goes out by what is filled in. */
import {
  choiceLabels,
  phoneNumberOf,
  serverTexts,
  type SettingValues,
  type SmsBackend,
  smsBackends,
  SmsBackends,
  translate,
} from '@sallyport/contract'
import type { Context } from '../../kernel/context.ts'
import { ApiError, forbidden, invalid, refusedAs } from '../../kernel/errors.ts'
import { provide, type Provided } from '../../kernel/resource/calls.ts'
import { type CheckConfirmed, secretToTry, type Sent, type Settings } from '../settings/index.ts'
import { backends, sendInTime } from './service.ts'
import { checkSmsValues } from './settings-page.ts'
import { SmsFailure } from './sms.ts'

const testCode = '666666'
const mostAtOnce = 5

export function smsCalls(settings: Settings, checkConfirmed: CheckConfirmed): Provided {
  let running = 0

  const test = (name: SmsBackend) => ({
    // Nobody holds a connection of the database while a provider is waited for.
    ahead: async (ctx: Context, { body }: { body: object }) => {
      if (!ctx.hasLicence) throw forbidden('license_required')
      const backend = backends[name]
      const sent = body as Sent
      const stored = await settings.stored(ctx.db, { lock: false })
      const values: SettingValues = { ...stored, ...sent }
      checkSmsValues(sent, values)
      const phone = phoneNumberOf(values.SMS_TEST_PHONE)
      if (phone === undefined) throw new ApiError(400, 'test_phone_required')
      const secret = await secretToTry(ctx, backend, {
        sent,
        stored,
        others: backend.needed,
        settings,
        checkConfirmed,
      })
      if (!secret) throw invalid(backend.secret, 'sms_secret_missing')
      await trySending(ctx, backend.open(values, secret), phone)
      const msg = translate(serverTexts, ctx.language, 'sms_test_done')
      return () => Promise.resolve({ msg })
    },
  })

  async function trySending(ctx: Context, send: Parameters<typeof sendInTime>[0], phone: string) {
    const failed = (error: SmsFailure) =>
      refusedAs('error', 400, 'sms_test_failed', { reason: error.reason(ctx.language) })
    if (running >= mostAtOnce) throw failed(new SmsFailure('sms_too_many'))
    running += 1
    try {
      await sendInTime(send, { phone, code: testCode })
    } catch (error) {
      throw error instanceof SmsFailure ? failed(error) : error
    } finally {
      running -= 1
    }
  }

  return provide(SmsBackends, {
    backends: ({ language }) =>
      Promise.resolve(
        smsBackends.values.map((name) => ({
          name,
          label: translate(choiceLabels, language, `sms_backend.${name}`),
        })),
      ),
    alibaba: test('alibaba'),
    tencent: test('tencent'),
    huawei: test('huawei'),
    cmpp2: test('cmpp2'),
    unknown: () => Promise.reject(refusedAs('error', 400, 'sms_backend_unknown')),
  })
}
