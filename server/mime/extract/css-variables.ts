/** Custom properties of CSS: those of an element and of the elements around it, by their names. A value that is not known is null. */
export type Variables = ReadonlyMap<string, string | null>

/** CSS that declares or uses custom properties, as it is written. */
export interface Unresolved {
  css: string
  /** Whether it surely applies to the element. */
  isCertain: boolean
  /** Read once, for all elements to which it applies. */
  declared?: { name: string, value: string, isImportant: boolean }[]
}

/** Maximum custom properties of an element, with those of the elements around it. */
const maxNames = 200
const maxValueChars = 100
/** Maximum custom properties that refer to the next one. */
const maxDepth = 4

const declaration = /(?:^|[;\s])--([\w-]{1,60})\s*:([^;]{0,200})/g
/** With a value for a property that is missing, which has no other `var()`. */
const innerReference = /var\(\s*--([\w-]{1,60})\s*(?:,([^()]{0,100}(?:\([^()]{0,100}\)[^()]{0,100}){0,3}))?\)/gi

/**
 * Adds the custom properties that an element declares to those of the element around it.
 * @param sources the weakest first
 */
export function declareVariables(sources: Unresolved[], inherited: Variables): Variables {
  const own = new Map<string, string | null>()
  for (const isImportant of [false, true]) {
    for (const source of sources) {
      source.declared ??= [...source.css.matchAll(declaration)].map(([, name, value]) =>
        ({ name: name!, value: value!.replace(/!\s*important\s*$/i, '').trim(), isImportant: /!\s*important\s*$/i.test(value!) }))
      for (const one of source.declared) if (one.isImportant === isImportant) own.set(one.name, source.isCertain ? one.value : null)
    }
  }
  if ([...own].every(([name, value]) => inherited.get(name) === value)) return inherited
  const all = new Map([...inherited, ...own])
  if (all.size > maxNames) return new Map([...all.keys()].map((name) => [name, null]))
  const resolved = new Map(all)
  for (const [name, value] of own) {
    const known = value === null ? null : resolveVariables(value, all)
    resolved.set(name, known === null || known.length > maxValueChars || known.includes('var(') ? null : known)
  }
  return resolved
}

/** Replaces `var(--name)` by its value, where that is known. */
export function resolveVariables(css: string, variables: Variables): string {
  let resolved = css
  for (let depth = 0; depth < maxDepth && resolved.includes('var('); depth++) {
    resolved = resolved.replace(innerReference, (whole, name: string, fallback: string | undefined) => {
      const value = variables.get(name)
      return (value === undefined ? fallback?.trim() : value) ?? whole
    })
  }
  return resolved
}
