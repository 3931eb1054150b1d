/** Which settings a protocol has, and that of old SSH servers. */
export const settingsOf: Readonly<Record<string, readonly string[]>> = {
  rdp: ['console', 'security'],
  ssh: ['sftp_enabled', 'sftp_home', 'old_ssh_version'],
  http: ['username_selector', 'password_selector', 'submit_selector'],
  redis: ['auth_username'],
}
