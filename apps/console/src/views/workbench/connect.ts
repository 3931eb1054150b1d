import { inSameOrganization } from '../../kit/routes/navigation.tsx'

/** Opens the terminal workspace on an asset, in a page of its own. */
export function connectTo(assetId: string): void {
  window.open(inSameOrganization(`/luna/?login_to=${encodeURIComponent(assetId)}`), '_blank', 'noopener')
}
