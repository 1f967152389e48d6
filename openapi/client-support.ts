import { readFileSync } from 'node:fs'

/** A version of a client → whether it supports a feature: `y`, `n`, `a` for a part, `u` for unknown, and notes. */
type Versions = Record<string, string>

interface Feature {
  slug: string
  title: string
  category: 'css' | 'html' | 'image' | 'others'
  /** By family, such as `gmail`, and platform, such as `ios`. */
  stats: Record<string, Record<string, Versions>>
}

interface Caniemail {
  last_update_date: string
  nicenames: { family: Record<string, string>, platform: Record<string, string> }
  data: Feature[]
}

const sides = ['top', 'right', 'bottom', 'left']
const lines = ['width', 'style', 'color']
const withEnds = (name: string, ends: string[]) => ends.map((end) => `${name}-${end}`)
const timed = ['delay', 'duration', 'timing-function']

/** Properties that a feature has beside, or in place of, the one of its title. */
const properties: Record<string, string[]> = {
  'css-animation': ['animation', ...withEnds('animation', [...timed, 'direction', 'fill-mode', 'iteration-count', 'name', 'play-state'])],
  'css-block-inline-size': ['block-size'],
  'css-border': ['border', ...withEnds('border', [...sides, ...lines, ...sides.flatMap((side) => withEnds(side, lines))])],
  'css-border-image': ['border-image', ...withEnds('border-image', ['outset', 'repeat', 'slice', 'source', 'width'])],
  'css-border-inline-block': ['border-inline', 'border-block'],
  'css-border-inline-block-individual': ['inline', 'block'].flatMap((axis) => withEnds(`border-${axis}`, ['start', 'end'])),
  'css-border-inline-block-longhand': ['inline', 'block'].flatMap((axis) => withEnds(`border-${axis}`, lines)),
  'css-border-radius': ['border-radius', 'border-top-left-radius', 'border-top-right-radius', 'border-bottom-left-radius', 'border-bottom-right-radius'],
  'css-border-radius-logical': ['start-start', 'start-end', 'end-start', 'end-end'].map((corner) => `border-${corner}-radius`),
  'css-color-scheme': ['color-scheme'],
  'css-column-layout-properties': ['columns', ...withEnds('column', ['fill', 'rule', 'span', 'width'])],
  'css-flex-direction': ['flex-direction=column'],
  'css-flex-wrap': ['flex-wrap=wrap'],
  'css-display-flex': ['display=flex'],
  'css-display-grid': ['display=grid'],
  'css-display-none': ['display=none'],
  'css-font': ['font'],
  'css-gap': ['gap', 'column-gap', 'row-gap'],
  'css-grid-template': ['grid-template', ...withEnds('grid-template', ['areas', 'columns', 'rows'])],
  'css-inset': ['inset', 'inset-block', 'inset-inline'],
  'css-left-right-top-bottom': sides,
  'css-margin': ['margin', ...withEnds('margin', sides)],
  'css-margin-block-start-end': ['margin-block-start', 'margin-block-end'],
  'css-margin-inline-block': ['margin-inline', 'margin-block'],
  'css-margin-inline-start-end': ['margin-inline-start', 'margin-inline-end'],
  'css-mask-image': ['mask-image', 'mask'],
  'css-outline': ['outline', ...withEnds('outline', lines)],
  'css-overflow': ['overflow', 'overflow-x', 'overflow-y'],
  'css-padding': ['padding', ...withEnds('padding', sides)],
  'css-padding-block-start-end': ['padding-block-start', 'padding-block-end'],
  'css-padding-inline-block': ['padding-inline', 'padding-block'],
  'css-padding-inline-start-end': ['padding-inline-start', 'padding-inline-end'],
  'css-scroll-snap': withEnds('scroll-snap', ['type', 'align', 'stop']),
  'css-text-emphasis': ['text-emphasis', 'text-emphasis-style', 'text-emphasis-color'],
  'css-transition': ['transition', ...withEnds('transition', [...timed, 'property'])],
  'css-variables': ['--'],
}

/** Keys of features that are no property, function, unit, element or attribute of their title. */
const others: Record<string, string[]> = {
  'css-at-media-device-pixel-ratio': ['@media(device-pixel-ratio)'],
  'css-at-media-hover': ['@media(hover)', '@media(any-hover)'],
  'css-comments': ['/*'],
  'css-conic-gradient': ['conic-gradient()', 'repeating-conic-gradient()'],
  'css-important': ['!important'],
  'css-inert-attribute': ['[inert]'],
  'css-intrinsic-size': ['=fit-content', '=min-content', '=max-content'],
  'css-linear-gradient': ['linear-gradient()', 'repeating-linear-gradient()'],
  'css-modern-color': ['lch()', 'oklch()', 'lab()', 'oklab()'],
  'css-nesting': ['{{'],
  'css-radial-gradient': ['radial-gradient()', 'repeating-radial-gradient()'],
  'css-pseudo-class-lang': [':lang'],
  'css-selector-adjacent-sibling': ['a+b'],
  'css-selector-attribute': ['[a]'],
  'css-selector-chaining': ['.a.b'],
  'css-selector-child': ['a>b'],
  'css-selector-class': ['.a'],
  'css-selector-descendant': ['a b'],
  'css-selector-general-sibling': ['a~b'],
  'css-selector-grouping': ['a,b'],
  'css-selector-id': ['#a'],
  'css-selector-type': ['a'],
  'css-selector-universal': ['*'],
  'css-sytem-ui': ['=system-ui', '=ui-serif', '=ui-sans-serif', '=ui-rounded', '=ui-monospace'],
  'css-unit-calc': ['calc()'],
  'css-unit-initial': ['=initial'],
  'css-unit-percent': ['1%'],
  'html-address': ['<address>'],
  'html-anchor-links': ['<a href=#>'],
  'html-comments': ['<!---->'],
  'html-doctype': ['<!doctype html>'],
  'html-h1-h6': [1, 2, 3, 4, 5, 6].map((level) => `<h${level}>`),
  'html-image-maps': ['<map>'],
  'html-lists': ['<ul>', '<ol>', '<dl>'],
  'html-mailto-links': ['<a href=mailto:>'],
  'html-meta-color-scheme': ['<meta name=color-scheme>'],
  'html-semantics': ['article', 'aside', 'details', 'figcaption', 'figure', 'footer', 'header', 'main', 'mark', 'nav', 'section', 'summary', 'time']
    .map((name) => `<${name}>`),
  'html-srcset': ['[srcset]', '[sizes]'],
  'image-apng': ['.apng'],
  'image-base64': ['data:image'],
  'image-heif': ['.heif', '.heic'],
  'image-jpg': ['.jpg', '.jpeg'],
  'image-svg': ['.svg', '.svg+xml'],
  'image-tiff': ['.tiff', '.tif'],
}

/** Features that a mail does not show: other parts than HTML, DNS records, and a kind of file that its name does not tell. */
const leftOut = new Set(['amp', 'bimi', 'image-hdr'])

/** The keys by which `server/mime/checks` finds a feature in a mail. */
function keysOf({ slug, title, category }: Feature): string[] {
  const known = properties[slug] ?? others[slug]
  if (known) return known
  if (category === 'image') return [`.${slug.slice('image-'.length)}`]
  if (category === 'html') {
    const [, element, attribute, value] = /^<(\w+)(?: (\w+)="(\w+)")?>/.exec(title) ?? /<(\w+)>/.exec(title) ?? []
    if (element) return [attribute ? `<${element} ${attribute}=${value}>` : `<${element}>`]
    const named = /^([a-z-]+) attribute$/.exec(title)?.[1]
    if (named) return [`[${named}]`]
  }
  const pseudo = /^::?([a-z-]+)/.exec(title)?.[0]
  if (pseudo) return [pseudo]
  const condition = /^@media \(([a-z-]+)\)$/.exec(title)?.[1]
  if (condition) return [`@media(${condition})`]
  if (/^@[a-z-]+$/.test(title)) return [title]
  const unit = /^([a-z]+) unit$/.exec(title)?.[1]
  if (unit) return [`1${unit}`]
  const call = /^([a-z-]+)\(\)$/.exec(title)?.[1]
  if (call) return [`${call}()`]
  const property = title.trim().replace(/ (?:shorthand|property)$/, '')
  if (/^[a-z-]+$/.test(property)) return [property]
  throw new Error(`openapi/client-support.ts has no keys of the feature ${slug}, ${title}`)
}

const idOf = (family: string, platform: string): string =>
  platform === 'outlook-com' || platform === 'windows-mail' ? platform : `${family}-${platform.replace('desktop-webmail', 'webmail')}`

/** The support of the newest version, which is the last. */
const newest = (versions: Versions): string => Object.values(versions).at(-1)![0]!

const dataFile = new URL(import.meta.resolve('caniemail/caniemail.json'))

/** With a letter before keys of digits alone: such keys would come first in an object, whatever their order in the file. */
const readData = (): Caniemail => JSON.parse(readFileSync(dataFile, 'utf8').replaceAll(/"(\d+)":/g, '"v$1":')) as Caniemail

/** The source of a file with the support of features by mail clients, from the data of caniemail.com in the package `caniemail`. */
export function clientSupport(): string {
  const { last_update_date: updated, nicenames, data } = readData()
  const features = data.filter(({ slug }) => !leftOut.has(slug))
  const clients = new Map<string, [family: string, platform: string]>()
  for (const { stats } of features) {
    for (const [family, platforms] of Object.entries(stats)) {
      for (const platform of Object.keys(platforms)) clients.set(idOf(family, platform), [family, platform])
    }
  }
  const sorted = [...clients].sort(([a], [b]) => a.localeCompare(b, 'en'))
  const nameOf = ([family, platform]: [string, string]) => {
    const place = nicenames.platform[platform]!.replace('Desktop Webmail', 'webmail').replace('Mobile Webmail', 'mobile webmail')
    return idOf(family, platform) === platform ? place : `${nicenames.family[family]}, ${place}`
  }
  const rows = features.map((feature) => {
    const support = sorted.map(([, [family, platform]]) => newest(feature.stats[family]?.[platform] ?? { none: 'u' })).join('')
    return JSON.stringify([feature.slug, feature.title.trim(), support, keysOf(feature).join(' | ')])
  })
  return `/*! Data of caniemail.com, ${updated.slice(0, 10)}: (c) Rémi Parmentier, Avi Goldman and Andrew Powell, MIT License */
// This file is made from the package caniemail by \`npm run generate\`

/** Id and name. */
export const clients: [id: string, name: string][] = [
${sorted.map(([id, places]) => `  ${JSON.stringify([id, nameOf(places)])},`).join('\n')}
]

/** Support has a letter for each client: \`y\` yes, \`n\` no, \`a\` a part, \`u\` unknown. */
export const features: [id: string, title: string, support: string, keys: string][] = [
${rows.map((row) => `  ${row},`).join('\n')}
]
`
}
