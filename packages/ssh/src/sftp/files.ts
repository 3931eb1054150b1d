import type { SftpName, SftpStatvfs, SftpUsersGroups } from './answers.ts'
import type { SftpAttributes } from './attributes.ts'

/**
 * What can be done with files by SFTP 3. The client does it on the peer's files; the server does what its peer asks with the one it is
 * given, so that a client given to a server relays. Paths are bytes as the file system has them; relative ones begin where the peer puts
 * its users. Methods reject with an `SftpStatusError`; a server also takes errors of the operating system, and tells `failure` for all others.
 */
export interface SftpFiles<Handle> {
  /** `flags`: `openFlags`, together. */
  open(path: Buffer, flags: number, attributes: SftpAttributes): Promise<Handle>
  opendir(path: Buffer): Promise<Handle>
  /** Once for each handle, when nothing else is under way with it. */
  close(handle: Handle): Promise<void>
  /** As many bytes as there are, at most `length`; undefined at the end of the file. */
  read(handle: Handle, offset: bigint, length: number): Promise<Buffer | undefined>
  /** Begun in the peer's order, several at once: to a file that is open to append they go in that order. */
  write(handle: Handle, offset: bigint, data: Buffer): Promise<void>
  /** The next names, as many as fit well into a packet; undefined at the end of the directory. */
  readdir(handle: Handle): Promise<SftpName[] | undefined>
  fstat(handle: Handle): Promise<SftpAttributes>
  fsetstat(handle: Handle, attributes: SftpAttributes): Promise<void>
  /** Does not follow a link, as the one that is named without it does. */
  lstat(path: Buffer): Promise<SftpAttributes>
  stat(path: Buffer): Promise<SftpAttributes>
  setstat(path: Buffer, attributes: SftpAttributes): Promise<void>
  remove(path: Buffer): Promise<void>
  mkdir(path: Buffer, attributes: SftpAttributes): Promise<void>
  rmdir(path: Buffer): Promise<void>
  realpath(path: Buffer): Promise<Buffer>
  readlink(path: Buffer): Promise<Buffer>
  symlink(target: Buffer, link: Buffer): Promise<void>
  /** Fails where there is a file already. */
  rename(from: Buffer, to: Buffer): Promise<void>

  /** From here on extensions; replaces a file that is there. */
  posixRename?(from: Buffer, to: Buffer): Promise<void>
  hardlink?(from: Buffer, to: Buffer): Promise<void>
  statvfs?(path: Buffer): Promise<SftpStatvfs>
  fstatvfs?(handle: Handle): Promise<SftpStatvfs>
  /** Until the data is where it outlives the machine. */
  fsync?(handle: Handle): Promise<void>
  lsetstat?(path: Buffer, attributes: SftpAttributes): Promise<void>
  /** With `~` and `~name` as a shell would have them. */
  expandPath?(path: Buffer): Promise<Buffer>
  /** Within the peer, up to the end of the file where `length` is 0. */
  copyData?(from: Handle, fromOffset: bigint, length: bigint, to: Handle, toOffset: bigint): Promise<void>
  /** The own one where the name is empty. */
  homeDirectory?(username: Buffer): Promise<Buffer>
  usersGroupsById?(uids: number[], gids: number[]): Promise<SftpUsersGroups>
}
