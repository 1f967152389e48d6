/** An address of this server that receives mail. */
export interface Recipient {
  addressId: string
  /** Missing in mail that was accepted by an older version. */
  accountId?: string
  /** As the sender wrote it, in lower case, its tag kept. */
  address: string
  /** How the mail came to it, unless by its own name; `address` is then the first recipient of the envelope. */
  via?: MailDoor
  /** All recipients of the envelope for which the address gets the mail, at most 100, and their number; missing for its own name alone. */
  recipients?: string[]
  recipientsTotal?: number
  /** Whether its owner has set SMTP faults; not stored. */
  hasFaults?: boolean | undefined
  /** Whether it allows or blocks senders; not stored. */
  hasSenders?: boolean | undefined
}

/** A way to an address other than its name: its SMTP login, the catch-all of a domain, or the address of `MAYFLY_CATCH_ALL`. */
export type MailDoor = 'login' | 'domain' | 'server'

/** Whether mail came from a program that would send it to others: then it is neither authenticated nor forwarded. */
export const isForOthers = (via: MailDoor | null | undefined): boolean => via === 'login' || via === 'server'

/** A return path of this server, for delivery reports about one of its mails. */
export interface ReturnPath {
  deliveryId: string
}

/** The SMTP envelope of a mail. */
export interface Envelope {
  /** Empty for the null sender. */
  sender: string
  recipients: Recipient[]
  /** Ids of the deliveries to whose return paths it was sent, if any. */
  bounces?: string[]
  /** Empty for a mail that was not received over the network. */
  remoteAddress: string
  helo: string
  tls: boolean
}

/** A mail that was answered 250. Its source is stored under its id. */
export interface AcceptedMessage {
  id: string
  /** Milliseconds since 1970. */
  receivedAt: number
  /** Bytes. */
  size: number
  /** The id of each recipient's email is made when the mail is accepted, so ids sort by arrival. */
  envelope: Omit<Envelope, 'recipients'> & { recipients: (Recipient & { emailId: string })[] }
}

/** An accepted email that is not published yet. */
export interface ArrivingEmail {
  accountId: string | undefined
  bytes: number
}

/** Accepted emails that are not published yet, by id: their bytes count as stored. */
export type Arriving = Map<string, ArrivingEmail>
