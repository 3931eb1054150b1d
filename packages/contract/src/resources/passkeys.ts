import { answer, onList, service } from '../resource/calls.ts'
import { json, text, uuid } from '../resource/field.ts'

/** What a browser makes of options, and sends back (WebAuthn, JSON of credentials). */
export type CredentialJson = Readonly<Record<string, unknown>>

/** The caller's passkeys: keys of phones, computers and security keys, in the place of a password, or after it in the place of a code. */
export const Passkeys = service({
  app: 'authentication',
  model: 'passkey',
  path: 'authentication/passkeys',
  calls: {
    list: onList({
      method: 'GET',
      path: '',
      access: 'valid_user',
      answer: answer.list({ id: uuid(), name: text(), date_created: text(), date_last_used: text() }),
    }),
    remove: onList({
      method: 'DELETE',
      path: '{passkey}',
      access: 'valid_user',
      confirm: 'password',
      records: 'changes',
    }),
    /** Options for `navigator.credentials.create`. */
    startRegistration: onList({
      method: 'POST',
      path: 'register/start',
      access: 'valid_user',
      confirm: 'password',
      answer: answer.json<CredentialJson>(),
      records: { unrecorded: 'Nothing is there before the passkey is.' },
    }),
    register: onList({
      method: 'POST',
      path: 'register',
      access: 'valid_user',
      confirm: 'password',
      body: { name: text({ max: 64, required: true }), credential: json<CredentialJson>({ required: true }) },
      status: 201,
      answer: answer.json<{ id: string }>(),
      records: 'changes',
    }),
    /** Options for `navigator.credentials.get`, while signing in. */
    startSignIn: onList({
      method: 'POST',
      path: 'auth/start',
      access: 'public',
      answer: answer.json<CredentialJson>(),
      records: { unrecorded: 'The sign-in it is for is recorded.' },
    }),
  },
})
