import { expect } from 'chai'
import fc from 'fast-check'
import { scanHtml } from '../../../server/mime/extract/scan-html.ts'
import { referencePage } from './reference-page.ts'

const elements = ['p', 'DIV', 'td', 'th', 'li', 'br', 'a', 'hq', 'span', 'blockquote', 'noscript', 'template', 'style', 'script', 'title', 'textarea',
  'iframe', 'xmp', 'noframes', 'noembed', 'plaintext', 's', 'sty', 'styles', 'x-very-long-name']
const withLineBreaks = ['tr', 'table', 'section', 'header', 'footer', 'article', 'center', 'dt', 'dd', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'ul', 'ol', 'pre', 'hr']
const pieces = [
  ...withLineBreaks.filter((name) => name !== 'pre').map((name) => `<${name}>`),
  ...elements.flatMap((name) => [`<${name}>`, `</${name}>`, `<${name} `, `</${name} `, `<${name}/>`]),
  '<a href="https://x.example/?a=1&amp;b=2">', '<A HREF=\'https://y.example\' class="my btn">', '<a href=https://z.example/ >', '<a style=background:red href=q>',
  '<a role=BUTTON href = "&#104;ttps://w.example&amp">', '<a href>', '<a href="" href=b>', '<img alt="Go &gt; on">', '<img alt=x>', '<img src=a>',
  '<input value="4 8">', '<input type=hidden value=q>', '<INPUT TYPE="number" value=7>', '<input>',
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

  it('have the lines of text whose white space is kept', () => {
    for (const [html, text] of [
      ['<pre>\n4f9a-21bc\n77e1-0cd2\n\n\n a <b>b\nc</b>\n</pre>\nd\ne', '4f9a-21bc\n77e1-0cd2\n\na b\nc\n\nd e'],
      ['<div style="white-space:pre-wrap"><p>a\nb</p></div>c\nd', 'a\nb\n\nc d'], ['<style>p{white-space:pre-line}</style><p>a\n<i>b</i>\n</p>', 'a\nb'],
      ['<pre>a<span style="white-space:normal">b\nc</span></pre>', 'ab c'], ['<p style="white-space:nowrap">a\nb</p>', 'a b'],
    ] as const) {
      expect(scanHtml(html).text, html).to.equal(text)
    }
    expect(scanHtml('<pre>a <a href="https://x.example">b\nc</a></pre>').anchors[0]!.text).to.equal('b c')
  })

  it('have the description of an image that is a code, also within an anchor', () => {
    for (const [html, text] of [
      ['<p>PIN:</p><img alt="4821">', 'PIN:\n\n4821'], ['<a href="https://x.example"><img alt="K7Q-29X"></a>', 'K7Q-29X'], ['<img alt="Code 482 913">', 'Code 482 913'],
      ['<img alt="Acme"><img alt="photo-2026.jpg"><img alt="">', ''], ['<img alt="4821" style="display:none">', ''], ['<p hidden><img alt="4821"></p>', ''],
    ] as const) expect(scanHtml(html).text, html).to.equal(text)
  })

  it('have the line breaks and spaces that styles make', () => {
    for (const [html, text] of [
      ['<p>Your code<strong style="display:block">739204</strong>Expires <b>so<i>on</i></b></p>', 'Your code\n739204\nExpires soon'],
      ['<style>.b{display:block}</style><span class=b>a<b>b</b></span><i class=b>c<i class=b>d</i></i>', 'ab\nc\nd'],
      ['<div style="display:flex"><span>Your code</span><span>739204</span></div>x<b>y</b>', 'Your code 739204\nxy'],
      ['a<span style="display:table-cell">b</span>c', 'a b c'], ['<b style="float:left">Code</b><b style="float:right">739204</b>', 'Code 739204'],
      ['73<b style="display:inline-block">92</b>04', '739204'], ['<form>a</form>b<legend>c</legend>d<main>e</main>f', 'a\nb\nc\nd\ne\nf'],
    ] as const) expect(scanHtml(html).text, html).to.equal(text)
    expect(scanHtml('<a href="https://x.example"><b style="display:block">Sign</b><b style="display:block">in</b></a>').anchors[0]!.text).to.equal('Sign in')
  })

  it('have superscripts of digits, and tabs between cells', () => {
    for (const [html, text] of [['x<sup>2</sup> 10<sup> 12 </sup>.', 'x² 10¹².'], ['1<sup>st</sup> 4<sup>a1</sup> 5', '1st 4a1 5'],
      ['<tr><td>a<td> b <th></th><td>c d</td></tr><tr><td>e', 'a\tb\tc d\ne']] as const) expect(scanHtml(html).text, html).to.equal(text)
  })

  it('have the text up to the end, also of a page that ends within a tag', () => {
    for (const [html, text] of [['a', 'a'], ['a <', 'a <'], ['a <b', 'a'], ['a <b x="y', 'a'], ['a </', 'a'], ['a <!-- b', 'a'], ['a <style>b', 'a'],
      ['a <textarea>b', 'a b'], ['a <br /', 'a'], ['a &amp', 'a &'], ['a &am', 'a &am'], ['<', '<'], ['', '']] as const) {
      expect(scanHtml(html).text, html).to.equal(text)
    }
  })
})
