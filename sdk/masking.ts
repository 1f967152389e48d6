/** Replaces the API key in a text. */
export type Mask = (text: string) => string

/** Characters of a key that is masked at least: the mock takes any key, such as `any`, which is a part of other words. */
const minLength = 12

/** Masks a key also where its characters are escaped as in JSON or in a URL. */
export function maskOf(apiKey: string): Mask {
  if (apiKey.length < minLength) return (text) => text
  const characters = Array.from(apiKey, (character) => {
    const hex = character.charCodeAt(0).toString(16)
    return `(?:\\x${hex}|\\\\u00${hex}|%${hex})`
  })
  const pattern = new RegExp(characters.join(''), 'gi')
  return (text) => text.replace(pattern, '[API key]')
}

/** Masks the texts of an error of the runtime: one of its HTTP parser holds the bytes that the server sent. */
export function maskError(error: unknown, mask: Mask, depth = 0): void {
  // not by instanceof alone: test runners have classes of their own
  if (!(error instanceof Error || Object.prototype.toString.call(error) === '[object Error]') || depth > 9) return
  for (const name of Object.getOwnPropertyNames(error)) {
    const value: unknown = Reflect.get(error as object, name)
    if (typeof value === 'string') {
      const masked = mask(value)
      if (masked !== value) Reflect.set(error as object, name, masked)
    } else {
      for (const inner of [value].flat()) maskError(inner, mask, depth + 1)
    }
  }
}
