import type { TicketType } from '@sallyport/contract/resources/tickets'

/** The detail screens of types that have one of their own. */
const typed: Partial<Record<TicketType, (id: string) => string>> = {
  login_confirm: (id) => `/tickets/tickets/login-confirm/${id}`,
  login_asset_confirm: (id) => `/tickets/tickets/login-host-confirm/${id}`,
  command_confirm: (id) => `/tickets/tickets/command-confirm/${id}`,
}

/** Where a ticket is shown. */
export const ticketAddress = ({ id, type }: { id: string; type: { value: TicketType } }): string =>
  typed[type.value]?.(id) ?? `/tickets/tickets/${id}`

/** Whether there is a screen for what tickets of this type say besides. */
export const isTyped = (type: TicketType): boolean => typed[type] !== undefined
