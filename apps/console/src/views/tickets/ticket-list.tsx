import { Ticket } from '@sallyport/contract/resources/tickets'
import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { QueryOf } from '../../kit/api/names.ts'
import { ResourceList } from '../../kit/list/resource-list.tsx'
import { readListState } from '../../kit/list/list-state.ts'
import { Page } from '../../kit/page/page.tsx'
import { Link } from '../../kit/routes/navigation.tsx'
import { ticketAddress } from './addresses.ts'

/** Tickets, those that are open first of all: whoever comes here sees what is to be done. */
export function TicketList({ query }: { query: QueryOf<typeof Ticket> }) {
  return <Page>{useOpenOnes() && <List query={query} />}</Page>
}

/** Narrows the list to open tickets when the page is entered, unless the address says otherwise; the tag can be taken away. */
function useOpenOnes(): boolean {
  const [params, setParams] = useSearchParams()
  const isNarrowed = Object.keys(readListState(params).filters).length > 0
  const [isEntered, setEntered] = useState(isNarrowed)
  if (isNarrowed && !isEntered) setEntered(true)
  useEffect(() => {
    if (isEntered) return
    setParams(
      (current) => {
        current.set('status', 'open')
        return current
      },
      { replace: true },
    )
  }, [isEntered, setParams])
  return isEntered
}

function List({ query }: { query: QueryOf<typeof Ticket> }) {
  return (
    <ResourceList
      resource={Ticket}
      query={query}
      can="look"
      detailTo={ticketAddress}
      exclude={['process_map', 'rel_snapshot', 'org_id']}
      defaultColumns={['title', 'serial_num', 'type', 'state', 'status', 'date_created']}
      minColumns={['title', 'serial_num', 'type', 'state', 'date_created']}
      cells={{
        title: { render: (row) => <Link to={ticketAddress(row)}>{row.title}</Link> },
        applicant: {
          label: 'tickets:ticketUser',
          render: ({ rel_snapshot: { applicant = '' } }) => applicant,
        },
        serial_num: { widthPx: 130 },
        type: { widthPx: 160 },
        state: { widthPx: 90 },
        status: { widthPx: 90 },
        date_created: { widthPx: 160 },
      }}
      searchExclude={['applicant', 'assignees__id', 'relevant_app', 'relevant_system_user']}
    />
  )
}
