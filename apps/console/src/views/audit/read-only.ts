/** What no list of records offers: records are read. */
export const readOnly = {
  create: false,
  update: false,
  remove: false,
  clone: false,
  bulkRemove: false,
} as const
