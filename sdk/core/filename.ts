/** The file name of a `Content-Disposition` header: `filename*` by RFC 8187, or `filename` by RFC 6266. */
export function readFilename(disposition: string | null): string | undefined {
  let name: string | undefined
  let encoded: string | undefined
  for (const [, star, quoted, token] of disposition?.matchAll(parameter) ?? []) {
    if (star) encoded = token
    else name = quoted?.replace(/\\(.)/g, '$1') ?? token
  }
  return decode(encoded) ?? name
}

const parameter = /;\s*filename(\*)?\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/gi

/** `UTF-8''na%C3%AFve.txt` → `naïve.txt` */
function decode(value: string | undefined): string | undefined {
  const encoded = value?.match(/^utf-8'[^']*'(.*)$/i)?.[1]
  try {
    return encoded && decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
