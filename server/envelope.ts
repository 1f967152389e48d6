/** An address of ours that takes mail. */
export interface Recipient {
  addressId: string
  /** Missing in mail that an older version accepted. */
  accountId?: string
  /** As the sender wrote it, in lower case, its tag kept. */
  address: string
}

/** A return path of ours: who writes there reports on a mail that we sent. */
export interface ReturnPath {
  deliveryId: string
}

/** What SMTP says of a mail. */
export interface Envelope {
  /** Empty for the null sender. */
  sender: string
  recipients: Recipient[]
  /** Deliveries whose return path it came to, if any. */
  bounces?: string[]
  /** Empty when it did not come over the network. */
  remoteAddress: string
  helo: string
  tls: boolean
}

/** A mail that is answered 250; its source is stored under its id. */
export interface AcceptedMessage {
  id: string
  /** Milliseconds since 1970. */
  receivedAt: number
  /** Bytes. */
  size: number
  /** Each recipient's email has its id from the moment of arrival, so ids sort by arrival. */
  envelope: Omit<Envelope, 'recipients'> & { recipients: (Recipient & { emailId: string })[] }
}

/** An accepted email that is not published yet. */
export interface ArrivingEmail {
  addressId: string
  accountId: string | undefined
  bytes: number
}
