/**
 * Limits of the parts of a mail that are read. The rest is left out, which `problem` reports. Names ending in `Bytes` and `Chars`
 * (UTF-16 units) are sizes, the others are counts.
 */
export const mimeLimits = {
  attachments: 1_000,
  parts: 10_000,
  headerFields: 10_000, // of one header block
  headerMapChars: 256 * 1024, // of all header values that are kept
  headerValueBytes: 32 * 1024,
  headersOnlyBytes: 64 * 1024, // of the header block, when nothing else is read
  parameterChars: 8 * 1024, // of one encoded file name or boundary
  scannedHtmlChars: 2 * 1024 * 1024, // in which text, links and codes are searched
  scannedTextChars: 512 * 1024, // in which links and codes are searched
  derivedTextChars: 256 * 1024, // of the text that is made from HTML
  links: 200,
  linkUrlChars: 4_096,
  linkTextChars: 200,
  codes: 10,
} as const
