/** The kinds of files tables are exchanged in, and their media types. */
export const tableTypes: ReadonlyMap<string, string> = new Map([
  ['csv', 'text/csv'],
  ['xlsx', 'application/xlsx'],
])
