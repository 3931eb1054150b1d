/** As OpenSSH has them; a window is what a peer may make us keep for each channel. */
export const defaultLimits = {
  windowBytes: 2 * 1024 * 1024,
  packetBytes: 32 * 1024,
  maxChannels: 128,
}
