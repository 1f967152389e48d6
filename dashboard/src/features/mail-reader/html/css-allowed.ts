/** Properties that mails use. All others are removed, such as those that paint for seconds (filters, blend modes, masks), load, or move. */
const properties = new RegExp(`^(?:${[
  'color|opacity|visibility|cursor|pointer-events|user-select|content|direction|unicode-bidi',
  'background-(?:attachment|clip|color|image|origin|position-[xy]|repeat|size)',
  '(?:margin|padding)-(?:top|right|bottom|left|(?:inline|block)-(?:start|end))',
  'border-(?:top|right|bottom|left|(?:inline|block)-(?:start|end))-(?:width|style|color)',
  'border-(?:(?:top|bottom)-(?:left|right)|(?:start|end)-(?:start|end))-radius|box-shadow|box-sizing',
  'border-collapse|-webkit-border-(?:horizontal|vertical)-spacing|caption-side|empty-cells|table-layout',
  '(?:min-|max-)?(?:width|height|inline-size|block-size)|object-fit|object-position|overflow-[xy]',
  'display|position|top|right|bottom|left|z-index|float|clear|clip|transform|transform-origin',
  'align-(?:content|items|self)|justify-(?:content|items|self)|flex-(?:basis|direction|grow|shrink|wrap)|order|(?:row|column)-gap',
  'font-.*|line-height|letter-spacing|word-spacing|word-break|line-break|tab-size|hyphens|overflow-wrap|white-space-collapse',
  'text-(?:align|align-last|decoration-(?:line|color)|indent|justify|overflow|size-adjust|transform|wrap-mode)|vertical-align',
  'list-style-(?:image|position|type)|orphans|widows|(?:page-)?break-(?:after|before|inside)',
  '-webkit-(?:box-orient|font-smoothing|line-clamp|text-fill-color)',
].join('|')})$`)

/**
 * Functions of values. Others are removed: those that load, those whose result is not known here, those that multiply sizes, and those that
 * cost much.
 */
const functions = new Set([
  'url', 'rgb', 'rgba', 'hsl', 'hsla', 'hwb', 'lab', 'lch', 'oklab', 'oklch', 'color', 'color-mix', 'calc', 'min', 'max', 'clamp', '',
  'linear-gradient', 'radial-gradient', '-webkit-linear-gradient', '-webkit-radial-gradient', '-webkit-gradient', 'from', 'to', 'color-stop',
  'translate', 'translatex', 'translatey', 'rotate', 'rect',
])

/**
 * Values that are not allowed with any of these properties: positions that follow the window, lengths without an end, and layout that a
 * browser does again for each element around an element, so that its time doubles with each (300 bytes would stop it for hours), or that
 * exhausts its stack; and quotation marks, which it counts again for each. `aspect-ratio`, `writing-mode` and `text-wrap-style` are not
 * among the properties for the same reason. Letters that lie above each other, and markers of elements that are no `li`, are not measured
 * by `paint-cost.ts`, nor fonts by their features.
 */
const refused: [RegExp, RegExp][] = [
  [/^position$/, /fixed|sticky/],
  [/^content$/, /quote/],
  [/^display$/, /grid|ruby|math|inline-table|list-item/],
  [/^(?:letter|word)-spacing$/, /\(|^-(?!(?:[01](?:\.\d+)?|2)px$|0?\.0\d*r?em$)/],
  [/^font-(?!family|size|weight|style|stretch|variant-caps)/, /^(?!normal$|auto$)/],
  [/^font-size-adjust$/, /^(?!none$)/],
  [/-image$/, /(?:(?:url|gradient)\(.*){5}/],
  [/(?:width|height|-size|-basis)$/, /content|stretch|available/],
  [/./, /\((?:.*\W)?(?:infinity|nan)\b/i],
]

/** @param value as the browser writes it after parsing, without strings and URLs */
export const isAllowed = (property: string, value: string): boolean =>
  properties.test(property) && !refused.some(([name, pattern]) => name.test(property) && pattern.test(value)) &&
  Array.from(value.matchAll(/([\w-]*)\(/g)).every(([, name]) => functions.has(name!.toLowerCase()))

const countOf = (found: RegExp) => (value: string): number => value.match(found)?.length ?? 0

/** Properties that are painted for each line of an element, and their longhands. */
const paintedPerLine = /^(?:box-shadow|background-(?:image|clip)|border-.*-style)$/
const lineProperties = ['box-shadow', 'background-image', 'background-clip', 'border-top-style', 'border-right-style', 'border-bottom-style',
  'border-left-style']

/** Maximum letters of generated content: each can be a line of its own. */
const maxGenerated = 30

/** Time to paint declarations, in units of about 1 ms for an element as large as the window, by the pattern of their property. */
const costs: [RegExp, (value: string) => number][] = [
  [/^box-shadow$/, costOfShadows],
  [/-image$/, (value) => 5 * countOf(/gradient\(/g)(value) + 2 * countOf(/(?:var|url)\(/g)(value)],
  [/^border-.*-style$/, (value) => /none|hidden|solid/.test(value) ? 0 : 8],
  [/^background-clip$/, (value) => 10 * countOf(/text/g)(value)],
  [/^transform$/, (value) => 5 * countOf(/\(/g)(value)],
  [/^position$/, countOf(/absolute/g)],
  [/^opacity$/, (value) => value === '1' ? 0 : 10],
  [/^overflow-/, (value) => ({ auto: 1, scroll: 1, hidden: 0.5, clip: 0.5 })[value] ?? 0],
  [/^margin-/, countOf(/^(?:-|.*\()/g)],
  [/^(?:content|list-style-type)$/, costOfText],
  [/^unicode-bidi$/, () => 0.2], // as many elements as `maxTurns`
]

/** The cost to paint a declaration, 0 for most. */
export const costOf = (property: string, value: string): number => costs.find(([pattern]) => pattern.test(property))?.[1](value) ?? 0

/** The same for each further line of an element. @param style as computed */
export const costOfLine = (style: CSSStyleDeclaration): number =>
  lineProperties.reduce((sum, property) => sum + costOf(property, style.getPropertyValue(property)), 0)

/** How often a declaration is painted for one `::before` or `::after`. */
export const maxLinesOfPart = (property: string): number => paintedPerLine.test(property) ? maxGenerated : 1

/** Strings of generated content, which is not measured by `paint-cost.ts`. */
function costOfText(value: string): number {
  if (!value.includes('"')) return 0
  return value.length > maxGenerated + 2 ? Infinity : value === '""' ? 1 : 4
}

/** Blur, offset and spread of each shadow; a length in another unit than px can be long. */
function costOfShadows(value: string): number {
  const lengths = Array.from(value.matchAll(/([\d.]+(?:e[+-]?\d+)?)(px|[a-z]+|%)/g), ([, number, unit]) => Number(number) * (unit === 'px' ? 1 : 100))
  return lengths.reduce((sum, length) => sum + length, 2 * lengths.length)
}
