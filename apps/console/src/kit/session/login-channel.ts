/** Between the windows of a browser: who is logged in, as far as one of them has just learned. The login page has it, too: it stays small. */

let channel: BroadcastChannel | undefined
const open = () => (channel ??= new BroadcastChannel('sallyport-login'))

/** The other windows hear it. Null: the login page is shown, so that nobody may be logged in any more. */
export const tellLogin = (personId: string | null): void => open().postMessage(personId)

export const hearLogin = (listener: (personId: unknown) => void): void =>
  open().addEventListener('message', ({ data }) => listener(data))
