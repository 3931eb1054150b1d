/** The kinds of files tables are exchanged in (kernel.md sections 11 and 12). */
export const tableFormats: readonly string[] = ['csv', 'xlsx']
