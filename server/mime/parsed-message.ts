/** An attachment, its content byte for byte as the sender's program encoded it. */
export interface ParsedAttachment {
  /** Safe as the name of a file: no path, no control characters, at most 255 bytes, never empty. */
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

export interface ParsedLink { url: string; text: string }

/** What the header of a mail says. */
export interface ParsedHeader {
  /** The sender's address, '' when it cannot be read. */
  from: string
  fromName: string
  subject: string
  /** Name as first written → unfolded value, encoded words left as they are, repeats joined by "\n". */
  headers: Record<string, string>
  /** Why the mail could only be read in part, as a short sentence; else null. */
  problem: string | null
}

/** What a mail says, bounded and free of NULs and lone surrogates. */
export interface ParsedMessage extends ParsedHeader {
  /** The text of the mail; for a mail of HTML alone, a readable text made from it. */
  bodyText: string
  bodyHtml: string
  attachments: ParsedAttachment[]
  /** One-time codes, best first. */
  codes: string[]
  /** http(s) only, the likely call to action first, then in the mail's order. */
  links: ParsedLink[]
}

/** A message of which nothing could be read. */
export function emptyMessage(problem: string): ParsedMessage {
  return {
    from: '', fromName: '', subject: '', bodyText: '', bodyHtml: '',
    headers: {}, attachments: [], codes: [], links: [], problem,
  }
}
