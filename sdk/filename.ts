/** The file name of a `Content-Disposition` header: `filename*` by RFC 8187, or `filename` by RFC 6266. */
export function readFilename(disposition: string | null): string | undefined {
  const parameters = new Map<string, string>()
  for (const [, name, quoted, token] of disposition?.matchAll(parameter) ?? []) {
    parameters.set(name!.toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? token!)
  }
  return decode(parameters.get('filename*')) ?? parameters.get('filename')
}

const parameter = /;\s*([\w!#$&+.^`|~*-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/g

/** `UTF-8''na%C3%AFve.txt` → `naïve.txt` */
function decode(value: string | undefined): string | undefined {
  const encoded = value?.match(/^utf-8'[^']*'(.*)$/i)?.[1]
  try {
    return encoded && decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
