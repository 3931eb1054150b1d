/** Each way a text goes, against a provider on loopback that checks the documented signature with code of its own. */
import { describe, expect, test } from 'vitest'
import {
  secret,
  startAlibaba,
  startCmpp2,
  startHuawei,
  startTencent,
  type TestProvider,
} from '../../testing-sms.ts'
import { alibaba, signatureOf } from './alibaba.ts'
import { cmpp2 } from './cmpp2.ts'
import { timestampOf } from './cmpp2-wire.ts'
import { addressOf, huawei } from './huawei.ts'
import { refusedBy, type SendSms, SmsFailure } from './sms.ts'
import { authorizationOf, tencent } from './tencent.ts'

const [ali, ten, hua, mobile] = await Promise.all([
  startAlibaba(),
  startTencent(),
  startHuawei(),
  startCmpp2(),
])
const byAlibaba = { url: ali.url, keyId: 'key id', secret, signName: '阿里云(1)*', templateCode: 'SMS_1' }
const byTencent = {
  url: ten.url,
  secretId: 'AKID',
  secretKey: secret,
  appId: '1400006666',
  signName: '腾讯云',
  templateId: '1110',
}
const byHuawei = {
  endpoint: hua.url,
  appKey: 'app',
  secret,
  sender: '8824110605',
  signName: '华为云',
  templateId: 'template-1',
}
const byCmpp2 = {
  host: '127.0.0.1',
  port: mobile.port,
  spId: '903001',
  secret,
  source: '10657001',
  serviceId: 'VERIFY',
  signName: '岗亭',
  template: '您的验证码是 {code}，请勿告诉他人',
}
const wrong = 'another secret'
const ways: [string, TestProvider, SendSms, SendSms][] = [
  ['Alibaba', ali, alibaba(byAlibaba), alibaba({ ...byAlibaba, secret: wrong })],
  ['Tencent', ten, tencent(byTencent), tencent({ ...byTencent, secretKey: wrong })],
  ['Huawei', hua, huawei(byHuawei), huawei({ ...byHuawei, secret: wrong })],
  ['CMPP', mobile, cmpp2(byCmpp2), cmpp2({ ...byCmpp2, secret: wrong })],
]

const phone = '+8613912345678'
const sms = { phone, code: '012345' }
const soon = () => AbortSignal.timeout(300)
const failed = async (send: SendSms, ends = AbortSignal.timeout(10_000)) => {
  const error: unknown = await send(sms, ends).then(
    () => undefined,
    (failure: unknown) => failure,
  )
  if (!(error instanceof SmsFailure)) throw new Error('it did not fail as texts do', { cause: error })
  return error
}

describe.each(ways)('%s', (_name, provider, send, unsigned) => {
  test('takes a code for a phone, signed with the shared secret', async () => {
    provider.behave = 'take'
    await send(sms, soon())
    expect(provider.taken).toHaveLength(1)
    expect(provider.taken[0]).toMatchObject({ code: '012345' })
  })

  test('takes nothing that is signed with another secret', async () => {
    const before = provider.taken.length
    const error = await failed(unsigned)
    expect(error.isFinal).toBe(true)
    expect(error.message).toMatch(/^sms_refused [\w.]+$/)
    expect(provider.taken).toHaveLength(before)
  })

  test('is tried again where it is busy, and not where it says no; neither is told of the phone or code', async () => {
    provider.behave = 'busy'
    const busy = await failed(send)
    provider.behave = 'refuse'
    const refused = await failed(send)
    expect([busy.isFinal, refused.isFinal]).toEqual([false, true])
    for (const { message } of [busy, refused]) {
      expect(message).not.toMatch(/13912345678|012345/)
    }
  })

  test.each([
    ['hang', 'sms_too_late'],
    ['drop', 'sms_unreachable'],
    ['babble', 'sms_answer_unknown'],
    ['flood', 'sms_answer_unknown'],
  ] as const)('does not hold anybody up: %s', async (behave, message) => {
    provider.behave = behave
    const error = await failed(send, behave === 'hang' ? soon() : undefined)
    expect(error.message).toContain(message)
    expect(error.isFinal).toBe(false)
    provider.behave = 'take'
  })
})

test('each is told the phone as it wants it, and everything its template needs', () => {
  expect(ali.taken[0]).toMatchObject({
    phone: '13912345678',
    said: { AccessKeyId: 'key id', SignName: '阿里云(1)*', TemplateCode: 'SMS_1' },
  })
  expect(ten.taken[0]).toMatchObject({
    phone,
    said: { id: 'AKID', app: '1400006666', sign: '腾讯云', template: '1110' },
  })
  expect(hua.taken[0]).toMatchObject({
    phone,
    said: { appKey: 'app', from: '8824110605', signature: '华为云', templateId: 'template-1' },
  })
  expect(mobile.taken[0]).toMatchObject({
    phone: '13912345678',
    said: {
      content: '【岗亭】您的验证码是 012345，请勿告诉他人',
      spId: '903001',
      service: 'VERIFY',
      source: '10657001',
    },
  })
})

test('a phone elsewhere keeps the code of its country', async () => {
  for (const [, provider, send] of ways) {
    await send({ phone: '+85212345678', code: '1' }, soon())
    expect(provider.taken.at(-1)?.phone.replace('+', '')).toBe('85212345678')
  }
})

test('the signatures are those of the worked examples the vendors publish', () => {
  // Short Message Service, "Request signatures"
  const params = {
    SignatureMethod: 'HMAC-SHA1',
    SignatureNonce: '45e25e9b-0a6f-4070-8c85-2956eda1b466',
    AccessKeyId: 'testId',
    SignatureVersion: '1.0',
    Timestamp: '2017-07-12T02:42:19Z',
    Format: 'XML',
    Action: 'SendSms',
    Version: '2017-05-25',
    RegionId: 'cn-hangzhou',
    PhoneNumbers: '15300000001',
    SignName: '阿里云短信测试专用',
    TemplateParam: '{"customer":"test"}',
    TemplateCode: 'SMS_71390007',
    OutId: '123',
  }
  expect(signatureOf('GET', params, 'testSecret')).toBe('zJDF+Lrzhj/ThnlvIToysFRq6t4=')
  // "Signature v3", its secret shown with asterisks and signed as shown
  const authorization = authorizationOf(
    {
      service: 'cvm',
      timestamp: 1_551_113_065,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        host: 'cvm.tencentcloudapi.com',
        'x-tc-action': 'DescribeInstances',
      },
      body: String.raw`{"Limit": 1, "Filters": [{"Values": ["\u672a\u547d\u540d"], "Name": "instance-name"}]}`,
    },
    { secretId: 'AKID', secretKey: 'Gu5t9xGARNpq86cd98joQYCN3*******' },
  )
  expect(authorization).toContain('be4f67d323c78ab9acb7395e43c0dbcf822a9cfac32fea2449a7bc7726b770a3')
})

test('a gateway that lets everybody in without knowing the secret gets no code', async () => {
  mobile.isImpostor = true
  const error = await failed(cmpp2(byCmpp2))
  mobile.isImpostor = false
  expect(error).toMatchObject({ isFinal: true, message: 'sms_gateway_unproven' })
  expect(mobile.heard.at(-1)).not.toContain('submit')
})

test('a gateway is answered whether anybody is there, and told good-bye', async () => {
  await cmpp2(byCmpp2)(sms, soon())
  expect(mobile.heard.at(-1)).toEqual(['connect', 'submit', 'there', 'terminate'])
})

test('a connection is proven with the time in China, whatever zone the server is in', () => {
  expect(timestampOf(new Date('2026-12-31T16:00:09Z'))).toBe('0101000009')
})

test('nobody is followed to where an answer leads', async () => {
  for (const [, provider, send] of ways.filter(([, one]) => one !== mobile)) {
    provider.behave = 'lead'
    const { asked } = provider
    expect((await failed(send)).message).toContain('sms_unreachable')
    expect(provider.asked).toBe(asked + 1)
    provider.behave = 'take'
  }
})

test('the address of an app is one, with or without the path of the call', () => {
  expect(addressOf('https://smsapi.example.com:443/')?.href).toBe(
    'https://smsapi.example.com/sms/batchSendSms/v1',
  )
  expect(addressOf('https://example.com/x/sms/batchSendSms/v1')?.pathname).toBe('/x/sms/batchSendSms/v1')
  for (const none of [
    '',
    'example.com',
    'ftp://example.com',
    'https://a:b@example.com',
    'https://example.com/?a=1',
  ])
    expect(addressOf(none)).toBeUndefined()
})

test('what a provider says is told in one line, and a code that may be a phone is not', () => {
  const error = refusedBy({ code: '13912345678', text: `no\r\n${'x'.repeat(1000)}` })
  expect(error.message).toBe('sms_refused -')
  expect(error.reason('en')).toMatch(/^the provider refused it \(-\): no x{190,200}$/)
})
