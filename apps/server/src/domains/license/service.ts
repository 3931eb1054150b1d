import { type Language, serverTexts, type SettingValues, translate } from '@sallyport/contract'
import type { Config } from '../../kernel/config.ts'
import { hasExpired, type LicenceClaims, publicKeyOf, readLicence, type Refusal } from './licence-file.ts'

type Stored = Readonly<Pick<SettingValues, 'LICENSE_FILE'>>

/** Which licence there is under the settings of a moment. */
export interface Licensing {
  /** The one that is imported, expired or not, or the built-in one; undefined in the community edition. */
  held(settings: Stored): LicenceClaims | undefined
  /** The same while it is valid. */
  valid(settings: Stored): LicenceClaims | undefined
  /** What a file says that could be imported, or what is wrong with it. */
  read(text: string): LicenceClaims | Refusal
}

/** A fresh install holds it: for good, and for more assets than anybody has. */
const testLicence: LicenceClaims = {
  subscription_id: '',
  corporation: translate(serverTexts, 'en', 'license_for_test'),
  date_expired: '',
  asset_count: 1_000_000,
  edition: translate(serverTexts, 'en', 'license_edition_test'),
  serial_no: '',
  remark: '',
}

/** The built-in licence in a language; what somebody issued stays as it is written. */
export const toldIn = (language: Language, licence: LicenceClaims): LicenceClaims =>
  licence === testLicence
    ? {
        ...licence,
        corporation: translate(serverTexts, language, 'license_for_test'),
        edition: translate(serverTexts, language, 'license_edition_test'),
      }
    : licence

export function createLicensing({ licenseKey }: Pick<Config, 'licenseKey'>): Licensing {
  const key = licenseKey === undefined ? undefined : publicKeyOf(licenseKey)
  // Asked for with every request: one signature is checked once.
  let known: { file: string; licence: LicenceClaims | undefined } | undefined
  function held({ LICENSE_FILE: file }: Stored): LicenceClaims | undefined {
    if (file === 'test') return testLicence
    if (file === '') return undefined
    if (known?.file !== file) {
      const read = readLicence(file, key)
      known = { file, licence: 'refusal' in read ? undefined : read }
    }
    return known.licence
  }
  return {
    held,
    valid(settings) {
      const licence = held(settings)
      return licence && !hasExpired(licence, new Date()) ? licence : undefined
    },
    read(text) {
      const read = readLicence(text, key)
      if ('refusal' in read || !hasExpired(read, new Date())) return read
      return { refusal: 'license_expired', params: { date: read.date_expired } }
    },
  }
}
