import type { Asset } from '@sallyport/contract/resources/assets'
import { isRecord } from '../../../kit/api/errors.ts'

type AssetProtocol = Asset['protocols'][number]

/** The protocols of an asset as its form holds them; a port that is no number is asked for again. */
export function protocolsOf(
  value: unknown,
): (Pick<AssetProtocol, 'name'> & { port: AssetProtocol['port'] | null })[] {
  return (Array.isArray(value) ? value : []).flatMap((item: unknown) =>
    isRecord(item) && typeof item['name'] === 'string'
      ? [{ name: item['name'], port: typeof item['port'] === 'number' ? item['port'] : null }]
      : [],
  )
}
