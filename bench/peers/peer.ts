/** A mail server beside which ours is measured. It has mail.localhost as a local domain, and listens on 127.0.0.1. */
export interface Peer {
  name: string
  smtpPort: number
  /** Undefined for a server of several processes. */
  pid?: number
  /** The mail of a round is removed, so that the next round has as much to do. */
  empty?(): Promise<void>
  /** The number of mails that it shows, when it shows any: all were accepted by then. */
  shown?(): Promise<number>
  stop(): Promise<void>
}
