/** What of a mail is read at most. What lies beyond is left out, and `problem` tells. */
export const LIMITS = {
  /** Attachments kept of one mail. */
  attachments: 1_000,
  /** Parts read of one mail. */
  parts: 10_000,
  /** Fields read in one header block. */
  headerFields: 10_000,
  /** Characters of all header values that are kept. */
  headerMap: 256 * 1024,
  /** Bytes of one header value. */
  headerValue: 32 * 1024,
  /** Bytes of the header block that are looked at when only headers are read. */
  headersOnly: 64 * 1024,
  /** Characters of one encoded file name or boundary parameter. */
  parameterValue: 8 * 1024,
  /** Characters of HTML searched for text, links and codes. */
  htmlScanned: 2 * 1024 * 1024,
  /** Characters of text searched for links. */
  textScanned: 512 * 1024,
  /** Characters of the text that is made from HTML. */
  derivedText: 256 * 1024,
  links: 200,
  linkUrl: 4_096,
  linkText: 200,
  codes: 10,
} as const
