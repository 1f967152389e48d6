/** Top-level domains that are no country's, and that names of products and files seldom end with. */
const generic = new Set(`com org net edu gov mil int info biz app dev bank shop store online site website xyz cloud email support club live top
  finance pay money insurance health news blog tech world today company digital services solutions group global`.split(/\s+/))

/** Countries whose codes are endings of files, or of names of products. */
const otherwiseUsed = new Set('ai cc gs md mk ml mm pl pm ps py rs sc sh so st tf ts vb'.split(' '))

const countries = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })

/**
 * Whether words with a dot between them, the last of which is this one, are a host rather than a file, a product such as `Node.js`, or
 * sentences without a space between them, such as `Thanks.It`.
 */
export function isTopDomain(written: string): boolean {
  const name = written.toLowerCase()
  if (generic.has(name)) return written !== 'NET' // ASP.NET
  return written === name && /^[a-z]{2}$/.test(name) && !otherwiseUsed.has(name) && countries.of(name.toUpperCase()) !== undefined
}
