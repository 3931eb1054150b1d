import { replayFilePath } from '@sallyport/contract/addresses'
import { detailUrl } from '@sallyport/contract/resource/resource'
import { Session } from '@sallyport/contract/resources/terminal'
import { currentOrganizationId, useCan } from '../person.tsx'
import { useText } from '../text.ts'
import { Icon } from '../ui/icons.tsx'

/** The recording as a file, for who may take it along. The address names the organization, since a link sends no header. */
export function DownloadLink({ sessionId }: { sessionId: string }) {
  const t = useText()
  const isAllowed = useCan('terminal.download_sessionreplay')
  if (!isAllowed) return null
  const organization = currentOrganizationId()
  const query = organization === undefined ? '' : `?oid=${encodeURIComponent(organization)}`
  return (
    <a className="button" href={`${replayFilePath(detailUrl(Session, sessionId))}${query}`} download>
      <Icon name="download" />
      {t('download')}
    </a>
  )
}
