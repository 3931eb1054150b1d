import type { Resource } from '@sallyport/contract'
import type { Context } from '../context.ts'
import { forbidden } from '../errors.ts'

/** Before a write of what its declaration says is licensed; it is read without a licence. @throws ApiError 403 `license_required` */
export function checkLicensed(
  { licensed }: Pick<Resource, 'licensed'>,
  ctx: Pick<Context, 'hasLicence'>,
): void {
  if (licensed && !ctx.hasLicence) throw forbidden('license_required')
}
