import type { Config } from 'dompurify'

/**
 * Elements and attributes of a mail that are shown (docs/decisions/0008). All others are removed: those that run, submit, embed or load
 * (script, form, input, svg, math, iframe, object, embed, link, meta, base, video, audio, source), and attributes that take the focus, or
 * load when a link is pressed (`autofocus`, `ping`) or an image is drawn (`srcset`). Data attributes are left to `sanitise.ts`.
 */
const tags = [
  'html', 'head', 'body', 'style', '#text',
  'a', 'abbr', 'acronym', 'address', 'area', 'article', 'aside', 'b', 'bdi', 'bdo', 'big', 'blockquote', 'br', 'caption', 'center', 'cite',
  'code', 'col', 'colgroup', 'dd', 'del', 'details', 'dfn', 'dir', 'div', 'dl', 'dt', 'em', 'figcaption', 'figure', 'font', 'footer', 'h1',
  'h2', 'h3', 'h4', 'h5', 'h6', 'header', 'hgroup', 'hr', 'i', 'img', 'ins', 'kbd', 'li', 'main', 'map', 'mark', 'menu', 'nav', 'nobr', 'ol',
  'p', 'pre', 'q', 's', 'samp', 'section', 'small', 'span', 'strike', 'strong', 'sub', 'summary', 'sup', 'table', 'tbody',
  'td', 'tfoot', 'th', 'thead', 'time', 'tr', 'tt', 'u', 'ul', 'var', 'wbr',
]

const attributes = [
  'abbr', 'align', 'alt', 'axis', 'background', 'bgcolor', 'border', 'bordercolor', 'cellpadding', 'cellspacing', 'char', 'charoff', 'class',
  'clear', 'color', 'cols', 'colspan', 'compact', 'coords', 'datetime', 'dir', 'face', 'frame', 'headers', 'height', 'hidden', 'href',
  'hreflang', 'hspace', 'id', 'lang', 'link', 'nohref', 'noshade', 'nowrap', 'open', 'role', 'rowspan', 'rules', 'scope', 'shape',
  'size', 'span', 'src', 'start', 'style', 'summary', 'text', 'title', 'type', 'usemap', 'valign', 'value', 'vlink', 'alink', 'vspace', 'width',
]

/**
 * `name` is allowed nowhere but on `map`, and ids of members of Document are removed, so that no element hides `document.body` or another
 * member from the code that measures the frame (DOM clobbering). Other ids stay, because style sheets of mails select by them.
 */
export const purifierOptions = {
  WHOLE_DOCUMENT: true,
  RETURN_DOM: true,
  SANITIZE_DOM: true,
  ALLOW_DATA_ATTR: false,
  ALLOWED_TAGS: tags,
  ALLOWED_ATTR: attributes,
  ADD_ATTR: (attribute, tag) => attribute === 'name' && tag === 'map',
} satisfies Config
