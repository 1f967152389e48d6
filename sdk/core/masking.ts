/** Replaces the API key in a text. */
export type Mask = (text: string) => string

/** Minimum characters of a key that is masked: the mock takes any key, such as `any`, which is a part of other words. */
const minLength = 12

/** Makes a mask that also finds a key whose characters are escaped as in JSON or in a URL. */
export function createMask(apiKey: string): Mask {
  if (apiKey.length < minLength) return (text) => text
  const characters = Array.from(apiKey, (character) => {
    const hex = character.charCodeAt(0).toString(16)
    return `(?:\\x${hex}|\\\\u00${hex}|%${hex})`
  })
  const pattern = new RegExp(characters.join(''), 'gi')
  return (text) => text.replace(pattern, '[API key]')
}

/** Masks the strings of a runtime error and of its causes: an error of the HTTP parser holds the bytes that the server sent. */
export function maskError(error: unknown, mask: Mask, depth = 0): void {
  // not by instanceof alone: test runners have their own Error class
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
