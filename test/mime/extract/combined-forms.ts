import type { ShownForm } from './shown-forms.ts'

/** Forms of hidden text, as in shown-forms.ts, made by combining styles, elements, and the ways in which a style applies to an element. */

const text = 'Your code is 999111.'
const p = '<p style="margin:0">Your code is 482913.</p>'

/** Hide the text of any element. */
const hidingAll = [
  'display:none', 'visibility:hidden', 'opacity:0', 'opacity:.01', 'font-size:0', 'font-size:1px', 'color:#fff', 'color:#fefefe', 'color:transparent', 'color:rgba(0,0,0,0)',
  '-webkit-text-fill-color:transparent', 'position:absolute;left:-9999px', 'position:absolute;clip:rect(0,0,0,0)', 'position:fixed;top:-9999px', 'filter:opacity(0)', 'margin-left:-9999px',
]
/** Hide the text of blocks alone. */
const hidingBlocks = [
  'max-height:0;overflow:hidden', 'height:0;overflow:hidden', 'width:0;overflow:hidden', 'text-indent:-9999px', 'transform:scale(0)', 'content-visibility:hidden', 'transform:translateX(-9999px)',
]

const inlines = ['span', 'b', 'em', 'u', 'small', 'code', 'label', 'x-y', 'cite', 'a']
const blocks = ['div', 'p', 'h1', 'section', 'center', 'blockquote', 'article', 'footer', 'address', 'main', 'figure']

type Way = (css: string, tag: string) => string

const element = (tag: string, attributes: string, content = text) => `<${tag}${attributes === '' ? '' : ` ${attributes}`}>${content}</${tag}>`
const sheet = (css: string, body: string) => `<style>${css}</style>${body}${p}`
const important = (css: string) => css.split(';').map((one) => `${one}!important`).join(';')

/** Ways in which a style applies to an element. */
const applying: Record<string, Way> = {
  'a style attribute': (css, tag) => element(tag, `style="${css}"`) + p,
  'a style attribute in capitals': (css, tag) => element(tag.toUpperCase(), `STYLE='${css.toUpperCase()}'`) + p,
  'a class': (css, tag) => sheet(`.x{${css}}`, element(tag, 'class=x')),
  'an id': (css, tag) => sheet(`#x{${css}}`, element(tag, 'id=x')),
  'its type': (css, tag) => sheet(`${tag}{${css}}`, element(tag, '')).replace(p, '<nav>Your code is 482913.</nav>'),
  'an attribute': (css, tag) => sheet(`[data-k="1"]{${css}}`, element(tag, 'data-k=1')),
  'a descendant of a class': (css, tag) => sheet(`.a .x{${css}}`, `<div class=a>${element(tag, 'class=x')}</div>`),
  'a child of a class': (css, tag) => sheet(`.a>.x{${css}}`, `<div class=a>${element(tag, 'class=x')}</div>`),
  'a media rule': (css, tag) => sheet(`@media screen and (min-width:320px){.x{${css}}}`, element(tag, 'class=x')),
  'a rule of support': (css, tag) => sheet(`@supports (display:block){.x{${css}}}`, element(tag, 'class=x')),
  'a layer': (css, tag) => sheet(`@layer a{.x{${css}}}`, element(tag, 'class=x')),
  'a rule in a rule': (css, tag) => sheet(`.a{color:#000;.x{${css}}}`, `<div class=a>${element(tag, 'class=x')}</div>`),
  ':is': (css, tag) => sheet(`:is(.x,.y){${css}}`, element(tag, 'class=x')),
  ':not': (css, tag) => sheet(`.x:not(.y){${css}}`, element(tag, 'class=x')),
  '!important above a style attribute': (css, tag) => sheet(`.x{${important(css)}}`, element(tag, 'class=x style="color:#000"')),
  'a list with a state': (css, tag) => sheet(`.y:hover,.x,a:nth-child(2n + 1)::before{${css}}`, element(tag, 'class=x')),
  'a sheet after the text': (css, tag) => `${element(tag, 'class=x')}${p}<style>.x{${css}}</style>`,
  'a sheet with comments': (css, tag) => sheet(`/*.x{}*/.x/**/{/**/${css}/*;*/}`, element(tag, 'class=x')),
}

/** Ways in which it does not. */
const missing: Record<string, Way> = {
  'a media rule for print': (css, tag) => sheet(`@media print{.x{${css}}}`, element(tag, 'class=x')),
  'a media rule for phones': (css, tag) => sheet(`@media (max-width:480px){.x{${css}}}`, element(tag, 'class=x')),
  'a rule of missing support': (css, tag) => sheet(`@supports (display:nonsense){.x{${css}}}`, element(tag, 'class=x')),
  'another class': (css, tag) => sheet(`.xx,.y{${css}}`, element(tag, 'class=x')),
  'a child of another element': (css, tag) => sheet(`nav>.x{${css}}`, `<nav><div>${element(tag, 'class=x')}</div></nav>`),
  'a list with an unknown state': (css, tag) => sheet(`.x,.y:unknown{${css}}`, element(tag, 'class=x')),
  'a list with an unknown function': (css, tag) => sheet(`.y:unknown(2),.x{${css}}`, element(tag, 'class=x')),
  'a list with an unknown pseudo-element': (css, tag) => sheet(`.y::unknown,.x{${css}}`, element(tag, 'class=x')),
  'a list with a function without its value': (css, tag) => sheet(`.x,.y:nth-child{${css}}`, element(tag, 'class=x')),
  'a list with a wrong value': (css, tag) => sheet(`.x,.y:nth-child(two){${css}}`, element(tag, 'class=x')),
  'a list with a state with a value': (css, tag) => sheet(`.x,.y:hover(1){${css}}`, element(tag, 'class=x')),
  ':not of an unknown state': (css, tag) => sheet(`.x:not(:unknown){${css}}`, element(tag, 'class=x')),
  ':has of an unknown state': (css, tag) => sheet(`.x,.y:has(:unknown){${css}}`, element(tag, 'class=x')),
  'a comment': (css, tag) => sheet(`/*.x{${css}}*/`, element(tag, 'class=x')),
  'a sheet that is not CSS': (css, tag) => `<style type="text/plain">.x{${css}}</style>${element(tag, 'class=x')}${p}`,
  'a sheet for print': (css, tag) => `<style media=print>.x{${css}}</style>${element(tag, 'class=x')}${p}`,
  'another attribute': (css, tag) => element(tag, `data-style="${css}"`) + p,
  'a wrong mark': (css, tag) => element(tag, `style="${css.split(';').map((one) => `${one}!ie`).join(';')}"`) + p,
}

/** Each style in each way; the elements take turns. */
const combined = (ways: Record<string, Way>, styles: string[], tags: string[], isShown: boolean): ShownForm[] =>
  Object.entries(ways).flatMap(([name, way], i) => styles.map((css, j) => {
    const tag = tags[(i + j) % tags.length]!
    return { name: `${css} of ${tag} by ${name}`, html: way(css, tag), isShown }
  }))

/** Elements around and within the one that is hidden. */
const nestings: Record<string, (css: string) => string> = {
  'two elements within': (css) => `<div style="${css}"><b><i>${text}</i></b></div>${p}`,
  'a table within': (css) => `<!doctype html><div style="${css}"><table><tr><td>${text}</td></tr></table></div>${p}`,
  'a list within': (css) => `<div style="${css}"><ul style="list-style:none"><li>${text}</ul></div>${p}`,
  'a cell around': (css) => `<table><tr><td><div style="${css}">${text}</div></td><td>482913</td></tr></table>`,
  'three tables around': (css) => `${'<table><tr><td>'.repeat(3)}<div style="${css}">${text}</div>${'</td></tr></table>'.repeat(3)}${p}`,
  'an open element before': (css) => `<b><i>a</b><div style="${css}">${text}</div>${p}`,
  'a wrong closing tag within': (css) => `<div style="${css}"></b></section>${text}</div>${p}`,
  'an item around': (css) => `<ul><li><div style="${css}">${text}</div><li>482913</ul>`,
}
const nested = [...hidingAll, ...hidingBlocks].flatMap((css) => Object.entries(nestings)
  // browsers indent no table within an indented block
  .map(([name, nest]) => ({ name: `${css} with ${name}`, html: nest(css), isShown: css.startsWith('text-indent') && name === 'a table within' })))

/** Between the halves of a code: nothing that is seen. */
const splits: Record<string, string> = {
  'a tag': '<b></b>', 'two tags': '</b><b>', 'a comment': '<!-- 7 -->', 'an empty comment': '<!-->', 'a wrong comment': '<?a 7?>', 'a line break that is hidden': '<br hidden>', 'wbr': '<wbr>',
  'a zero-width space': '\u200b', 'its entity': '&#8203;', 'its entity in hex': '&#x200B;', 'its entity by name': '&ZeroWidthSpace;', 'zwnj': '&zwnj;', 'zwj': '&zwj;', 'a word joiner': '\u2060', 'BOM': '\ufeff',
  'a soft hyphen': '\u00ad', 'shy': '&shy;', 'a grapheme joiner': '&#847;', 'marks of direction': '&lrm;&rlm;', 'a tag character': '\u{e0037}', 'its entities': '&#xe0037;&#917559;', 'many': '&zwnj;&#8203;&shy;<i></i>',
  ...Object.fromEntries(hidingAll.filter((css) => !css.startsWith('margin')).map((css) => [`text with ${css}`, `<span style="${css}">7</span>`])),
  'text with hidden': '<span hidden>7</span>', 'a template': '<template>7</template>', 'a script': '<script>7</script>', 'a style': '<style>a{b:c}</style>', 'text in a hidden block': '<span style="display:none"><b>7</b><i>8</i></span>',
}
const around: Record<string, (split: string) => string> = {
  'a text': (split) => `<p>Your code is 999${split}111.</p>`,
  'spans': (split) => `<p>Your code is <span>999</span>${split}<span>111</span>.</p>`,
  'a cell': (split) => `<table><tr><td>Your code:</td><td>99${split}91${split}11</td></tr></table>`,
  'entities': (split) => `<p>Your c&#111;de is &#57;9&#x39;${split}1&#49;1.</p>`,
}
const split = Object.entries(around).flatMap(([place, write]) => Object.entries(splits)
  .map(([name, between]) => ({ name: `${name} within a code in ${place}`, html: write(between), isShown: true })))

export const combinedForms: ShownForm[] = [
  ...combined(applying, hidingAll, [...inlines, ...blocks], false),
  ...combined(applying, hidingBlocks, blocks, false),
  ...combined(missing, hidingAll, [...inlines, ...blocks], true),
  ...combined(missing, hidingBlocks, blocks, true),
  ...nested,
  ...split,
]
