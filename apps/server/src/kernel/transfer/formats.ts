/** The kinds of files tables are exchanged in (kernel.md sections 11 and 12), and their media types. */
export const tableTypes: ReadonlyMap<string, string> = new Map([
  ['csv', 'text/csv'],
  ['xlsx', 'application/xlsx'],
])
