/** An attachment. Its content has the exact bytes of the file. */
export interface ParsedAttachment {
  /** Made by `safeFilename`, or a default name; never empty. */
  filename: string
  /** `type/subtype` in lower case, without parameters. */
  contentType: string
  /** In bytes. */
  size: number
  /** Without the angle brackets. */
  contentId: string | null
  isInline: boolean
  content: Uint8Array
}

export interface ParsedLink { url: string, text: string }

/** The header of a mail. */
export interface ParsedHeader {
  /** Address of the sender, '' when it is missing or malformed. */
  from: string
  fromName: string
  subject: string
  /** Name, as in its first field, → unfolded value, with encoded words as they are; values of repeated fields are joined by "\n". */
  headers: Record<string, string>
  /** Why only a part of the mail could be read, as a short sentence; else null. */
  problem: string | null
}

/** A mail that was read, within `mimeLimits`. No string has NULs or lone surrogates. */
export interface ParsedMessage extends ParsedHeader {
  /** The text body; made from the HTML body when there is none. */
  bodyText: string
  bodyHtml: string
  attachments: ParsedAttachment[]
  /** One-time codes, best first. */
  codes: string[]
  /** http(s) only: the likely call to action, then the others in the order of the mail. */
  links: ParsedLink[]
}

/** A mail of which nothing could be read. */
export function emptyMessage(problem: string): ParsedMessage {
  return {
    from: '', fromName: '', subject: '', bodyText: '', bodyHtml: '',
    headers: {}, attachments: [], codes: [], links: [], problem,
  }
}
