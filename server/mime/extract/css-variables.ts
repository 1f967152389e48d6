/** Custom properties of CSS that have one value in the whole page. */
export interface CssVariables {
  /** Keeps the custom properties of a rule for the root of the page. @param css its declarations */
  declare(css: string): void
  /** Replaces `var(--name)` by its value, where that is known. */
  resolve(css: string): string
}

/** Maximum custom properties of a page that are looked up: each takes a search of the page. */
const maxNames = 20
const maxValueChars = 100
/** Maximum custom properties that refer to the next one. */
const maxDepth = 4

/**
 * A property that is declared at another place, too, such as in a media query, a class or a style attribute, has no value that is known.
 * @param source the page
 */
export function openCssVariables(source: string): CssVariables {
  const ofRoot = new Map<string, string>()
  const counts = new Map<string, number>()

  /** Of properties that are declared once. */
  const values = new Map<string, string | undefined>()

  return {
    declare(css) {
      for (const [, name, value] of css.matchAll(/(?:^|[;\s])--([\w-]{1,60})\s*:([^;]{1,100})/g)) {
        if (ofRoot.size < maxNames) ofRoot.set(name!, value!.replace('!important', '').trim())
      }
    },
    resolve: (css) => resolve(css, maxDepth),
  }

  function resolve(css: string, depth: number): string {
    if (!css.includes('var(')) return css
    return css.replace(/var\(\s*--([\w-]{1,60})\s*(?:,([^();]{0,100}(?:\([^();]{0,100}\))?))?\)/gi, (whole, name: string, fallback: string | undefined) => {
      if (depth === 0) return whole
      const count = countOf(name)
      return (count === 1 ? valueOf(name, depth) : count === 0 ? fallback?.trim() : undefined) ?? whole
    })
  }

  function valueOf(name: string, depth: number): string | undefined {
    if (values.has(name)) return values.get(name)
    const value = ofRoot.get(name)
    const resolved = value === undefined ? undefined : resolve(value, depth - 1)
    values.set(name, resolved && resolved.length <= maxValueChars ? resolved : undefined)
    return values.get(name)
  }

  /** Counts the declarations of a property in the page; NaN when too many properties were counted before. */
  function countOf(name: string): number {
    let count = counts.get(name)
    if (count !== undefined) return count
    if (counts.size >= maxNames) return NaN
    count = source.match(new RegExp(`--${name}\\s{0,20}:`, 'g'))?.length ?? 0
    counts.set(name, count)
    return count
  }
}
