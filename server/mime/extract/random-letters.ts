/**
 * Codes of letters alone are made of random letters, often of consonants only (RFC 8628, section 6.1), and are beside capitals of headings
 * and acronyms. Random letters have pairs that words do not have: of the words of 4,700 documents in English, at most three have each pair.
 */
const rarePair = new RegExp([
  'b[kqwx]', 'c[wx]', 'd[qxz]', 'f[bhjkpqvwxz]', 'g[jkqvx]', 'h[fghqvxz]', 'j[cglmnqtvxyz]', 'k[cqvxz]', 'l[qx]', 'm[jqwxz]', 'nx', 'p[jqvxz]',
  'q[a-tv-z]', 'r[qx]', 'tq', 'u[qw]', 'v[bdfhjkpqtvwxz]', 'w[cgjpquvwxz]', 'x[fgjklqrvwz]', 'y[hjqx]', 'z[cdfgjnpqrvwx]', '[^aeiouy-]{5}',
].join('|'), 'i')
const vowel = /[aeiouy]/i
/** Of the internet and of programs. */
const acronyms = new Set(`
  http https html xhtml smtp lmtp crlf csrf ssrf gdpr hsts dhcp pkce pkcs spdx xslt scss ntfs nfkc tldr rsvp gmbh msrp hdmi wwdc psst nsfw lgtm
  gprs lgpl whatwg msdn msvc llvm nginx wysiwyg hmac ftps rtfm vpns sdks pdfs urls dvds cdss tvs dns dnssec jpeg jwts`.split(/\s+/))

/** Whether letters, with or without hyphens, are no words. */
export const looksRandom = (letters: string): boolean =>
  (rarePair.test(letters) || letters.split('-').every((part) => !vowel.test(part))) && !acronyms.has(letters.toLowerCase())
