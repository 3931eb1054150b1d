import { answer, onList, onOne, service } from '../resource/calls.ts'
import { boolean, computed, file, integer, text, value } from '../resource/field.ts'
import type { RowOf } from '../resource/resource.ts'
import { singleton } from '../resource/singleton.ts'

/** Of a licence file: far more than one needs. */
export const maxLicenceBytes = 16_384

/**
 * Whose licence it is, until when (empty: for good), for how many assets (null: without limit), and how many there are. Texts are empty
 * where there is none: the community edition.
 */
export const Licence = singleton({
  app: 'xpack',
  model: 'license',
  path: 'xpack/license/detail',
  access: { read: 'settings.change_license' },
  fields: {
    subscription_id: computed(text()),
    corporation: computed(text()),
    date_expired: value<string>(),
    asset_count: computed(integer({ nullable: true })),
    current_asset_count: computed(integer()),
    edition: computed(text()),
    serial_no: computed(text()),
    remark: computed(text()),
  },
  calls: {
    /** Leaves the community edition. */
    remove: onOne({ method: 'DELETE', path: '', access: 'settings.change_license', records: 'delete' }),
  },
})
export type Licence = RowOf<typeof Licence>

/** A licence is a signed file: docs/licences.md. */
export const LicenceFiles = service({
  app: 'xpack',
  model: 'license',
  path: 'xpack/license',
  calls: {
    import: onList({
      method: 'POST',
      path: 'import',
      access: 'settings.change_license',
      body: { file: file({ maxBytes: maxLicenceBytes, required: true }) },
      answer: answer.object({ status: boolean(), msg: text() }),
      records: 'changes',
    }),
  },
})
