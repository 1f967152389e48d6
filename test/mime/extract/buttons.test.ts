import { expect } from 'chai'
import { findLinks } from './find-links.ts'

const at = (path: string): string => `https://acme.example/${path}`
const a = (text: string, more = ''): string => `<a href="${at('go')}" ${more}>${text}</a>`
const cell = (html: string, more = ''): string => `<table><tr><td ${more}>${html}</td></tr></table>`
const menu = `<a href="https://acme.example/"><img src="logo.png" alt="Acme"></a>
  <p><a href="${at('features')}">Features</a> <a href="${at('pricing')}">Pricing</a></p><p>Welcome.</p>`
const footer = `<p><a href="${at('help')}">Help</a> <a href="${at('unsubscribe')}">Unsubscribe</a></p>`
const firstOf = (html: string): string => findLinks(`${menu}${html}${footer}`, '')[0]!.url

const label = 'Let’s roll'
const styles = (css: string): string => `<style>${css}</style>`

describe('Links that are buttons', () => {
  for (const [name, html] of [
    ['Beefree', a(`<span class="button" style="background-color:#7747FF;border-radius:4px;display:inline-block;padding:5px 20px;"><span>${label}</span></span>`,
      'style="color:#ffffff;text-decoration:none;"')],
    ['HubSpot', cell(`<!--[if mso]><v:x><![endif]-->${a(label, 'style="color:#fff"')}`, 'bgcolor="#FF7A59" style="border-radius:3px;padding:12px 18px"')],
    ['MJML', cell(cell(a(label, 'style="display:inline;color:#fff"'), 'align="center" style="background:#414141;padding:10px 25px"'), 'style="padding:10px"')],
    ['Mailchimp', `<table class="mcnBlock" style="background-color:#2BAADF"><tbody><tr><td>${a(label)}</td></tr></tbody></table>`],
    ['the color of a table', `<table bgcolor="#0066cc" cellpadding="12"><tr><td>${a(label)}</td></tr></table>`],
    ['the style of a table', `<table style="background-color:#0066cc" cellpadding="12"><tr><td>${a(label)}</td></tr></table>`],
    ['a class of the anchor', styles('.primary{background-color:#06c;padding:12px 24px}') + a(label, 'class="primary"')],
    ['a class of the cell', styles('.primary{background-color:#06c;padding:12px 24px}') + cell(a(label), 'class="primary"')],
    ['a class with a variable', styles(':root{--main:#06c}.primary{background:var(--main)}') + a(label, 'class="primary"')],
    ['a table in the anchor', a(cell(label, 'style="background:#06c;padding:12px"'))],
    ['a block in the anchor', a(`<div style="background:#06c;padding:12px">${label}</div>`)],
    ['a `<button>` in the anchor', a(`<button>${label}</button>`)],
    ['two elements between', cell(`<font face="Arial"><b>${a(label)}</b></font>`, 'bgcolor="#0066cc"')],
    ['a gradient', a(label, 'style="background-image:linear-gradient(90deg,#06c,#09f)"')],
    ['a gradient of a cell', cell(a(label), 'style="background-image:linear-gradient(90deg,#06c,#09f)"')],
    ['an arrow and spaces', cell(`&nbsp;${a(`${label} <span style="background:#09f">→</span>`)}&nbsp;<img src="s.png" alt="">`, 'bgcolor="#0066cc"')],
    ['two in a row', `<table><tr><td bgcolor="#0066cc">${a(label)}</td><td bgcolor="#0066cc"><a href="${at('other')}">Later</a></td></tr></table>`],
    ['on the dark section of a page', cell(cell(a(label), 'bgcolor="#ff7a59"') + '<p>Hello.</p>', 'bgcolor="#1a1a1a"')],
    ['after the name of the sender in a colored header', cell('<a href="https://acme.example/?utm_source=mail">Acme</a>', 'bgcolor="#1a1a1a"') + cell(a(label), 'bgcolor="#06c"')],
  ] as const) {
    it(`begin: ${name}`, () => {
      expect(firstOf(html)).to.equal(at('go'))
    })
  }

  for (const [name, html] of [
    ['in a colored menu', cell(`${a('Blog')} <a href="${at('shop')}">Shop</a>`, 'bgcolor="#0066cc"')],
    ['in a colored sentence', `<p style="background:#0066cc">Read ${a('the news')}</p>`],
    ['before a text in a colored cell', cell(`${a('Blog')}<p>and more</p>`, 'bgcolor="#0066cc"')],
    ['below a picture', cell(`<img src="shoe.png">${a('Shoe')}`, 'bgcolor="#0066cc"')],
    ['beside a logo with a link', cell(`<a href="${at('home')}"><img src="logo.png"></a>${a('Blog')}`, 'bgcolor="#0066cc"')],
    ['of a light section', cell(a('Blog'), 'bgcolor="#f4f4f4"')],
    ['with a badge', a('<span style="background:#d00">3</span> new posts')],
  ] as const) {
    it(`do not include a link ${name}`, () => {
      expect(findLinks(`<p><a href="${at('first')}">Features</a></p>${html}`, '')[0]!.url).to.equal(at('first'))
    })
  }

  it('never begin with a link of the footer', () => {
    for (const text of ['Unsubscribe', 'Privacy policy', 'View in browser']) {
      expect(findLinks(`${cell(`<a href="${at('u')}">${text}</a>`, 'bgcolor="#0066cc"')}<p>${a('News')}</p>`, '')[0]!.url, text).to.equal(at('go'))
    }
  })
})
