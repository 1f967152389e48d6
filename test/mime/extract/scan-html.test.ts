import { expect } from 'chai'
import fc from 'fast-check'
import { scanHtml } from '../../../server/mime/extract/scan-html.ts'
import { referencePage } from './reference-page.ts'

const elements = ['p', 'DIV', 'td', 'th', 'li', 'br', 'a', 'hq', 'span', 'blockquote', 'noscript', 'template', 'style', 'script', 'title', 'textarea',
  'iframe', 'xmp', 'noframes', 'noembed', 'plaintext', 's', 'sty', 'styles', 'x-very-long-name']
const withLineBreaks = ['tr', 'table', 'section', 'header', 'footer', 'article', 'center', 'dt', 'dd', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'pre', 'hr']
const pieces = [
  ...withLineBreaks.map((name) => `<${name}>`),
  ...elements.flatMap((name) => [`<${name}>`, `</${name}>`, `<${name} `, `</${name} `, `<${name}/>`]),
  '<a href="https://x.example/?a=1&amp;b=2">', '<A HREF=\'https://y.example\' class="my btn">', '<a href=https://z.example/ >', '<a style=background:red href=q>',
  '<a role=BUTTON href = "&#104;ttps://w.example&amp">', '<a href>', '<a href="" href=b>', '<img alt="Go &gt; on">', '<img alt=x>', '<img src=a>',
  '<', '>', '"', '\'', '=', ' ', '  ', '\n', '\t', '/', '<>', '</>', '</ p>', '<3', '< b', '<?php >', '<!', '<!>', '<!x>', '<!-', '<!--', '-->', '--!>', '--!', '--',
  '<!-->', '<!--->', '<![CDATA[', ']]>', ']', '<!DOCTYPE html>', '&', '&amp;', '&amp', '&nbsp;', '&notit;', '&not', '&#65;', '&#x42', '&#', '&#x', '&zwnj;', '&shy;',
  '&NotEqualTilde;', '&#128;', '&#0;', '&#x110000;', '&lt;b&gt;', 'word', 'a', 'é', '漢字', '😀', '\u00a0', '\u00ad', '\u200b', '\u200c', '\u2028', '\u2800', '\ufeff',
  '\u034f', '1 2  3', ' x ', '\v', '\u0001',
]

/**
 * Pages without two errors of htmlparser2: it takes the last character of a tag that is not closed as text, and decodes no entity directly
 * after "<" or "</" in a textarea.
 */
const pages = fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 40 }).map((chosen) => `${chosen.join('')}>`)
  .filter((html) => !/<textarea[^]*<\/?&/i.test(html))

describe('HTML: text and anchors', () => {
  it('are those that the tokens of htmlparser2 have', () => {
    fc.assert(fc.property(pages, (html) => {
      expect(scanHtml(html)).to.deep.equal(referencePage(html))
    }), { numRuns: 10_000, seed: 20260102 })
  })

  it('have the line breaks of each element', () => {
    for (const name of ['p', 'div', 'br', 'li', 'blockquote', ...withLineBreaks]) {
      for (const html of [`a<${name}>b`, `a</${name} x>b`]) expect(scanHtml(html).text, html).to.equal(referencePage(html).text).and.match(/\n/)
    }
  })

  it('have the text up to the end, also of a page that ends within a tag', () => {
    for (const [html, text] of [['a', 'a'], ['a <', 'a <'], ['a <b', 'a'], ['a <b x="y', 'a'], ['a </', 'a'], ['a <!-- b', 'a'], ['a <style>b', 'a'],
      ['a <textarea>b', 'a b'], ['a <br /', 'a'], ['a &amp', 'a &'], ['a &am', 'a &am'], ['<', '<'], ['', '']] as const) {
      expect(scanHtml(html).text, html).to.equal(text)
    }
  })

  it('are the same anchors when the text of the page is not read', () => {
    fc.assert(fc.property(pages, (html) => {
      expect(scanHtml(html, false)).to.deep.equal({ ...referencePage(html), text: '' })
    }), { numRuns: 2_000, seed: 20260102 })
  })
})
