export { AuthError, type AuthMethod } from './auth/client-auth.ts'
export { AbandonedError, type Ask, type Question, type Questions } from './auth/interview.ts'
export type { AuthRequest, MethodName, Refusal, Verdict } from './auth/server-auth.ts'
export { Channel } from './channels/channel.ts'
export { ClientSession } from './channels/client-session.ts'
export { ChannelError, type OpenFailure } from './channels/errors.ts'
export { ServerSession, type SessionHandlers } from './channels/server-session.ts'
export { noModes, type Exit, type Terminal, type TerminalSize } from './channels/session.ts'
export { Client, connect, type ConnectOptions, type DirectTarget } from './client.ts'
export { Agent, type AgentKey } from './keys/agent.ts'
export { certificateAlgorithms, keyAlgorithms } from './keys/algorithms.ts'
export { Certificate, type CertificateFacts, withCertificate } from './keys/certificate.ts'
export { checkCertificate, type CertificateProblem, type CertificateUse } from './keys/check-certificate.ts'
export { fingerprintOf, md5FingerprintOf } from './keys/fingerprint.ts'
export { generateKey } from './keys/generate.ts'
export { KeyError, type PrivateKey, type PublicKey } from './keys/key.ts'
export { formatOpenSshKey } from './keys/openssh-key.ts'
export { parsePrivateKey } from './keys/private-key.ts'
export { formatPublicKeyLine, parsePublicKeyFile, parsePublicKeyLine } from './keys/public-key-text.ts'
export { parsePublicKey } from './keys/public-key.ts'
export { signCertificate } from './keys/sign-certificate.ts'
export { SoftwareKey } from './keys/software-key.ts'
export { release } from './packets/memory.ts'
export { serve, ServerConnection, type ChannelOpening, type ServeOptions } from './server.ts'
export {
  parseAnswer,
  statusAnswer,
  writeAnswer,
  type SftpAnswer,
  type SftpName,
  type SftpStatvfs,
  type SftpUsersGroups,
} from './sftp/answers.ts'
export { fileTypes, type SftpAttributes } from './sftp/attributes.ts'
export { SftpClient } from './sftp/client.ts'
export { SftpStatusError, type SftpStatus } from './sftp/errors.ts'
export type { SftpExtension } from './sftp/extensions.ts'
export type { SftpFiles } from './sftp/files.ts'
export { longName } from './sftp/long-name.ts'
export { openFlags, parseRequest, writeRequest, type SftpRequest } from './sftp/requests.ts'
export { serveSftp, type ServeSftpOptions } from './sftp/server.ts'
export { type Algorithms, defaultAlgorithms } from './transport/algorithms.ts'
export { PeerDisconnectError } from './transport/disconnect.ts'
export { NoCommonAlgorithmError, SshError, TimeoutError, type DisconnectReason } from './wire/errors.ts'
