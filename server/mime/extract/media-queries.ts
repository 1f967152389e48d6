import { tableOf } from '../table-of.ts'
import { initialFontPx, toPx } from './css-values.ts'
import { readColor } from './css-colors.ts'

/** Whether a rule applies to a page on a desktop. */
export type Certainty = 0 | 1 | 2
export const [no, maybe, yes] = [0, 1, 2] as const

/** Of a rule such as `@media` around others. */
export function certaintyOfBlock(name: string | undefined, condition: string): Certainty {
  if (name === 'media') return certaintyOf(condition, certaintyOfFeature)
  if (name === 'supports') return certaintyOf(condition, certaintyOfSupport)
  return name && /^(?:layer|container|scope|starting-style)$/.test(name) ? maybe : no
}

/** Of the attribute of a `<style>` element. */
export const certaintyOfMedia = (media: string): Certainty => media.trim() === '' ? yes : certaintyOf(media, certaintyOfFeature)

/** Evaluates a query of conditions. */
function certaintyOf(query: string, certaintyOfOne: (condition: string) => Certainty): Certainty {
  return Math.max(...query.toLowerCase().split(',', 100).map((one) => {
    const [, prefix, conditions] = /^\s*(?:(not|only)\s+)?([^]*)$/.exec(one)!
    const parts = conditions!.split(/\band\b/).map((part) => part.trim()).filter((part) => part !== '')
    const certainty = parts.reduce((least, part) => Math.min(least, certaintyOfOne(part)), yes as number)
    return prefix === 'not' ? yes - certainty : certainty
  })) as Certainty
}

/** Whether browsers support a declaration: those of today have these values. */
function certaintyOfSupport(condition: string): Certainty {
  const [, name = '', value = ''] = /^\(\s*([\w-]+)\s*:([^()]*)\)$/.exec(condition) ?? []
  return name.startsWith('--') || supported[name]?.test(value.trim()) || (/^(?:background-)?color$/.test(name) && readColor(value.trim())) ? yes : maybe
}

const supported: Partial<Record<string, RegExp>> = tableOf({
  display: /^(?:none|inline|contents|flow-root|(?:inline-)?(?:block|flex|grid|table))$/,
  position: /^(?:static|relative|absolute|fixed|sticky)$/,
})

/** Widths of pages on a desktop, in px. */
const pageWidths = { min: 769, max: 1_280 }

/** Evaluates a condition of a media query for all widths of a desktop. */
function certaintyOfFeature(condition: string): Certainty {
  if (/^[a-z-]+$/.test(condition)) return condition === 'all' || condition === 'screen' ? yes : no
  const [, limit, ofLimit, comparison = limit, value = ofLimit] =
    /^\(\s*(?:(min|max)-(?:device-)?width\s*:\s*([^\s()]+)|width\s*([<>]=?)\s*([^\s()<>=]+))\s*\)$/.exec(condition) ?? []
  const side = comparison?.startsWith('>') ? 'min' : comparison?.startsWith('<') ? 'max' : comparison
  const px = toPx(value ?? '', initialFontPx)
  if (side === 'min' && px >= 0) return px <= pageWidths.min ? yes : px > pageWidths.max ? no : maybe
  if (side === 'max' && px >= 0) return px >= pageWidths.max ? yes : px < pageWidths.min ? no : maybe
  const scheme = /^\(\s*prefers-color-scheme\s*:\s*(light|dark)\s*\)$/.exec(condition)?.[1]
  return scheme ? scheme === 'light' ? yes : no : maybe
}
