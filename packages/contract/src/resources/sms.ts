/** What administrators do with the ways texts are sent by, besides setting them up: trying them. */
import { answer, onList, service } from '../resource/calls.ts'
import { type Fields, text } from '../resource/field.ts'
import type { SmsBackend } from '../settings.ts'
import { smsPages } from './setting-pages.ts'

const access = 'settings.change_sms'
/** Sends a code to the test phone by what is sent, before it is saved. The stored secret goes where it was stored for only. */
const testing = <const B extends SmsBackend, const F extends Fields>(backend: B, body: F) =>
  onList({
    method: 'POST',
    path: `${backend}/testing`,
    access,
    body,
    answer: answer.object({ msg: text() }),
    reads: true,
  })

export const SmsBackends = service({
  app: 'settings',
  model: 'smsbackend',
  path: 'settings/sms',
  calls: {
    backends: onList({
      method: 'GET',
      path: 'backend',
      access: 'settings.view_setting',
      answer: answer.json<{ name: SmsBackend; label: string }[]>(),
    }),
    alibaba: testing('alibaba', smsPages.alibaba.fields),
    tencent: testing('tencent', smsPages.tencent.fields),
    huawei: testing('huawei', smsPages.huawei.fields),
    cmpp2: testing('cmpp2', smsPages.cmpp2.fields),
    /** Of a way there is not. */
    unknown: onList({
      method: 'POST',
      path: '{backend}/testing',
      access,
      answer: answer.object({ msg: text() }),
      reads: true,
    }),
  },
})
