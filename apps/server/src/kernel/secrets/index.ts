export { type EnvelopeOpener, loadEnvelopeOpener } from './envelope.ts'
export { createKeyring, type Keyring, loadKeyring, SecretKeyError } from './keyring.ts'
