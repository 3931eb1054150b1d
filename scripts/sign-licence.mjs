/** Makes the key pair of an issuer of licences, and signs licences with it: docs/licences.md. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'

const [verb, keyFile, licenceFile] = process.argv.slice(2)

/** Refuses to overwrite: a key that is lost takes its licences with it. */
function makeKey(file) {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519')
  writeFileSync(file, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600, flag: 'wx' })
  tellPublic(publicKey)
}

function tellPublic(publicKey) {
  const { x } = publicKey.export({ format: 'jwk' })
  console.log(`SALLYPORT_LICENSE_KEY=${Buffer.from(x, 'base64url').toString('base64')}`)
}

/** A JSON web signature in its compact form (RFC 7515, RFC 8037). */
function signed(licence, key) {
  const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const text = `${part({ alg: 'EdDSA' })}.${part(licence)}`
  return `${text}.${sign(null, Buffer.from(text), key).toString('base64url')}`
}

const keyIn = (file) => createPrivateKey(readFileSync(file, 'utf8'))

if (verb === 'key' && keyFile) makeKey(keyFile)
else if (verb === 'public' && keyFile) tellPublic(createPublicKey(keyIn(keyFile)))
else if (verb === 'sign' && keyFile && licenceFile)
  console.log(signed(JSON.parse(readFileSync(licenceFile, 'utf8')), keyIn(keyFile)))
else {
  console.error(
    'node scripts/sign-licence.mjs key KEY.pem | public KEY.pem | sign KEY.pem LICENCE.json > FILE.lic',
  )
  process.exitCode = 1
}
