import { flagSet } from '../resource/choices.ts'

/** What a grant allows on a connection. */
export const permissionActions = flagSet(
  'permission_action',
  { connect: 1, upload: 2, download: 4, copy: 8, paste: 16 },
  {
    group: 'all',
    children: [
      'connect',
      { group: 'transfer', children: ['upload', 'download'] },
      { group: 'clipboard', children: ['copy', 'paste'] },
    ],
  },
)
export type PermissionAction = keyof typeof permissionActions.bits
