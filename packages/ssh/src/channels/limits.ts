/** As OpenSSH has them; a window is what a peer may make us keep for each channel. */
export const defaultLimits = {
  windowBytes: 2 * 1024 * 1024,
  packetBytes: 32 * 1024,
  maxChannels: 128,
}

/** Of a session as long as nothing runs in it: nobody reads what comes. */
export const unbegunWindowBytes = 32 * 1024
