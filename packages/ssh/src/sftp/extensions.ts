/** Extensions of OpenSSH's PROTOCOL, 4: our names, and how they are told. */
export const extensionNames = {
  posixRename: 'posix-rename@openssh.com',
  statvfs: 'statvfs@openssh.com',
  fstatvfs: 'fstatvfs@openssh.com',
  hardlink: 'hardlink@openssh.com',
  fsync: 'fsync@openssh.com',
  lsetstat: 'lsetstat@openssh.com',
  limits: 'limits@openssh.com',
  expandPath: 'expand-path@openssh.com',
  copyData: 'copy-data',
  homeDirectory: 'home-directory',
  usersGroupsById: 'users-groups-by-id@openssh.com',
} as const
export type SftpExtension = keyof typeof extensionNames

/** What is told behind each name. */
export const extensionVersions: Record<SftpExtension, string> = {
  posixRename: '1',
  statvfs: '2',
  fstatvfs: '2',
  hardlink: '1',
  fsync: '1',
  lsetstat: '1',
  limits: '1',
  expandPath: '1',
  copyData: '1',
  homeDirectory: '1',
  usersGroupsById: '1',
}
