/** A list inside another page that only shows its rows. */
export const shownOnly = {
  create: false,
  update: false,
  remove: false,
  clone: false,
  bulkRemove: false,
} as const
