import { Licence, LicenceFiles, serverTexts, translate } from '@sallyport/contract'
import type { Context } from '../../kernel/context.ts'
import type { Executor } from '../../kernel/database/index.ts'
import { invalid } from '../../kernel/errors.ts'
import { provide, type Provided } from '../../kernel/resource/calls.ts'
import { serveOne, type ServedOne } from '../../kernel/resource/singleton.ts'
import type { Settings } from '../settings/index.ts'
import { type Licensing, toldIn } from './service.ts'

export interface LicenseServices {
  settings: Settings
  licensing: Licensing
  countAssets: (executor: Executor) => Promise<number>
}

const nothing = {
  subscription_id: '',
  corporation: '',
  date_expired: '',
  asset_count: null,
  edition: '',
  serial_no: '',
  remark: '',
}

const readLicenceRow =
  ({ settings, licensing, countAssets }: LicenseServices) =>
  async (ctx: Context, options: { lock: boolean }) => {
    const held = licensing.held(await settings.stored(ctx.db, options))
    return {
      ...nothing,
      ...(held && toldIn(ctx.language, held)),
      current_asset_count: await countAssets(ctx.db),
    }
  }

export const licenceServed = (services: LicenseServices): ServedOne =>
  serveOne(Licence, {
    read: readLicenceRow(services),
    calls: { remove: (ctx) => services.settings.store(ctx.db, { LICENSE_FILE: '' }) },
  })

export function licenceFiles(services: LicenseServices): Provided {
  const { settings, licensing } = services
  const read = readLicenceRow(services)
  return provide(LicenceFiles, {
    import: {
      ahead: async (_ctx, { body }) => {
        const file = (await body.file.text()).trim()
        const licence = licensing.read(file)
        if ('refusal' in licence) throw invalid('file', licence.refusal, licence.params)
        return async (ctx) => {
          const before = await read(ctx, { lock: true })
          await settings.store(ctx.db, { LICENSE_FILE: file })
          const after = await read(ctx, { lock: false })
          await ctx.emit({
            type: 'called',
            action: 'update',
            call: 'import',
            resource: Licence,
            id: '',
            before,
            after,
          })
          return { status: true, msg: translate(serverTexts, ctx.language, 'license_imported') }
        }
      },
    },
  })
}
