import { expect } from 'chai'
import type { Email, EmailChecks } from '../../../server/contract/types.gen.ts'
import { checkMail, withLinkStatus } from '../../../server/mime/checks/mail-checks.ts'
import { processorMs } from '../../support/processor-time.ts'

type Check = Exclude<keyof EmailChecks, 'result'>
type Stored = Parameters<typeof checkMail>[1]

const nothing: Stored = { authentication: null, links: [] }

function check(parts: { html?: string, text?: string, headers?: string[], files?: string[] }, stored: Partial<Stored> = {}): EmailChecks {
  const { html, text = 'Hello', headers = [], files = [] } = parts
  const part = (type: string, body: string, ...more: string[]) => ['--x', `Content-Type: ${type}; charset=utf-8`, ...more, '', body]
  const source = [
    'From: a@shop.example', 'Subject: Hello', ...headers, 'Content-Type: multipart/mixed; boundary=x', '',
    ...text ? part('text/plain', text) : [], ...html === undefined ? [] : part('text/html', html),
    ...files.flatMap((id) => part('image/png', 'x', `Content-ID: <${id}>`, 'Content-Disposition: inline; filename=x.png')), '--x--', '',
  ].join('\r\n')
  return checkMail(Buffer.from(source), { ...nothing, ...stored })
}

const img = (attributes: string) => ({ html: `<p>Hello <img ${attributes}></p>` })
const link = (url: string, text = 'Confirm') => ({ links: [{ url, text }] })
type Results = NonNullable<Email['authentication']>

const authenticated = (
  spf: Results['spf']['result'], dkim: Results['dkim'][number]['result'][], dmarc: Results['dmarc']['result'],
): Partial<Stored> => ({
  authentication: {
    spf: { result: spf, domain: 'shop.example' },
    dkim: dkim.map((result) => ({ result, domain: 'shop.example', selector: 's1' })),
    dmarc: { result: dmarc, domain: 'shop.example', policy: null },
  },
})

/** A fault, the mail, and what the check of it says. */
const faults: [title: string, Check, mail: Parameters<typeof check>, expected: object][] = [
  ['no image', 'images', [{ html: '<p>Hello</p>' }], { result: 'none', total: 0 }],
  ['an image with all', 'images', [img('src="https://shop.example/a.png" alt="Shop" width="9" height="9"')], { result: 'pass', total: 1, remote: 1 }],
  ['an image without alt', 'images', [img('src="https://shop.example/a.png" width=9 height=9')], { result: 'warn', withoutAlt: 1, withoutSize: 0 }],
  ['an empty alt', 'images', [img('src="https://shop.example/a.png" alt width=9 height=9')], { result: 'pass', withoutAlt: 0 }],
  ['an image without a height', 'images', [img('src="https://shop.example/a.png" alt="" width=9')], { result: 'warn', withoutSize: 1 }],
  ['sizes by style', 'images', [img('src="https://shop.example/a.png" alt="" style="width:9px;height:9px"')], { result: 'pass', withoutSize: 0 }],
  ['a max-width that is no size', 'images', [img('src="https://shop.example/a.png" alt="" height=9 style="max-width:9px"')], { result: 'warn', withoutSize: 1 }],
  ['an embedded image', 'images', [{ ...img('src="cid:a%40b" alt="" width=9 height=9'), files: ['a@b'] }], { result: 'pass', embedded: 1, missing: 0 }],
  ['an embedded image that is missing', 'images', [{ ...img('src="cid:a@b" alt="" width=9 height=9'), files: ['c@b'] }], { result: 'fail', missing: 1 }],
  ['an image without a source', 'images', [img('alt="" width=9 height=9')], { result: 'fail', missing: 1, remote: 0 }],
  ['an image of data', 'images', [img('src="data:image/png;base64,AA==" alt="" width=9 height=9')], { result: 'pass', remote: 0, embedded: 0 }],
  ['an image of a scheme-relative URL', 'images', [img('src="//shop.example/a.png" alt="" width=9 height=9')], { remote: 1 }],
  ['an image in a comment', 'images', [{ html: '<!-- <img> --><p>Hello' }], { result: 'none', total: 0 }],
  ['small HTML', 'size', [{ html: '<p>Hello</p>' }], { result: 'pass', htmlBytes: 12, maxHtmlBytes: 104_448 }],
  ['HTML of 102 kB', 'size', [{ html: 'a'.repeat(104_448) }], { result: 'pass', htmlBytes: 104_448 }],
  ['HTML that Gmail clips', 'size', [{ html: 'ä'.repeat(52_225) }], { result: 'fail', htmlBytes: 104_450 }],
  ['no HTML', 'size', [{}], { result: 'none', htmlBytes: 0 }],
  ['both bodies', 'text', [{ html: '<p>Hello' }], { result: 'pass', hasText: true, hasHtml: true }],
  ['text alone', 'text', [{}], { result: 'pass', hasText: true, hasHtml: false }],
  ['no text part', 'text', [{ html: '<p>Hello', text: '' }], { result: 'warn', hasText: false, hasHtml: true }],
  ['an empty text part', 'text', [{ html: '<p>Hello', text: ' \r\n' }], { result: 'warn', hasText: false }],
  ['no body', 'text', [{ text: ' ' }], { result: 'fail', hasText: false, hasHtml: false }],
  ['no List-Unsubscribe', 'unsubscribe', [{}], { result: 'none', urls: [], isOneClick: false }],
  ['List-Unsubscribe with one-click', 'unsubscribe', [{ headers: ['List-Unsubscribe: <mailto:u@shop.example>,\r\n <https://shop.example/u>', 'List-Unsubscribe-Post: List-Unsubscribe=One-Click'] }],
    { result: 'pass', urls: ['mailto:u@shop.example', 'https://shop.example/u'], isOneClick: true }],
  ['List-Unsubscribe alone', 'unsubscribe', [{ headers: ['list-unsubscribe: <https://shop.example/u>'] }], { result: 'warn', isOneClick: false }],
  ['one-click without https', 'unsubscribe', [{ headers: ['List-Unsubscribe: <http://shop.example/u>', 'List-Unsubscribe-Post: List-Unsubscribe=One-Click'] }],
    { result: 'warn', isOneClick: false }],
  ['List-Unsubscribe without brackets', 'unsubscribe', [{ headers: ['List-Unsubscribe: https://shop.example/u'] }], { result: 'fail', urls: [] }],
  ['no results', 'authentication', [{}], { result: 'none', spf: null, dkim: null, dmarc: null }],
  ['all passed', 'authentication', [{}, authenticated('pass', ['fail', 'pass'], 'pass')], { result: 'pass', spf: 'pass', dkim: 'pass', dmarc: 'pass' }],
  ['DMARC by DKIM, SPF of a forwarder', 'authentication', [{}, authenticated('fail', ['pass'], 'pass')], { result: 'pass', spf: 'fail' }],
  ['DMARC that failed', 'authentication', [{}, authenticated('pass', [], 'fail')], { result: 'fail', dkim: 'none', dmarc: 'fail' }],
  ['a softfail of SPF', 'authentication', [{}, authenticated('softfail', [], 'none')], { result: 'fail', spf: 'softfail' }],
  ['no policies', 'authentication', [{}, authenticated('none', [], 'none')], { result: 'warn', spf: 'none', dkim: 'none', dmarc: 'none' }],
  ['no link', 'links', [{}], { result: 'none', total: 0, hosts: [] }],
  ['a link', 'links', [{}, link('https://shop.example/a')], { result: 'pass', total: 1, hosts: ['shop.example'], insecure: 0, mismatched: 0 }],
  ['plain http', 'links', [{}, link('http://shop.example/a')], { result: 'warn', insecure: 1 }],
  ['a text that names another host', 'links', [{}, link('https://evil.example/', 'https://bank.example/login')], { result: 'warn', mismatched: 1 }],
  ['two links of a host', 'links', [{}, { links: [...link('https://shop.example/a').links, ...link('https://shop.example:8443/b').links, ...link('https://shop.example/c').links] }],
    { total: 3, hosts: ['shop.example', 'shop.example:8443'] }],
  ['text without HTML', 'clients', [{}], { result: 'none', features: [] }],
  ['HTML that all clients support', 'clients', [{ html: '<p>Hello <strong>Ada</strong></p>' }], { result: 'pass', features: [] }],
  ['flexbox', 'clients', [{ html: '<p style="display: flex">Hello' }], { result: 'warn' }],
]

describe('Mail checks: known faults', () => {
  for (const [title, name, mail, expected] of faults) {
    it(`${name}: ${title}`, () => {
      const checks = check(...mail)
      expect(checks[name]).to.deep.include(expected)
      const results = Object.entries(checks).flatMap(([member, value]) => member === 'result' ? [] : [(value as { result: string }).result])
      expect(checks.result).to.equal(['fail', 'warn', 'pass'].find((result) => results.includes(result)))
    })
  }

  it('says of each client whether it supports the mail, and which features it lacks', () => {
    const { clients } = check({ html: '<style>@media (max-width: 9px) { p { gap: 1em } }</style><p style="display:flex;gap:1em">Hello' })
    expect(clients.support).to.include({ 'apple-mail-ios': 'pass', 'gmail-webmail': 'warn', 'outlook-windows': 'fail', 'outlook-com': 'warn' })
    const gap = clients.features.find(({ id }) => id === 'css-gap')!
    expect([gap.title, gap.count, gap.partial.includes('gmail-webmail'), gap.unsupported.includes('outlook-windows')])
      .to.deep.equal(['gap, column-gap, row-gap', 2, true, true])
  })

  it('reports each feature once, with its uses', () => {
    const { features } = check({ html: '<table align=left><tr><td align=left><p align=left>' }).clients
    expect(features.filter(({ id }) => id === 'html-align').map(({ count }) => count)).to.deep.equal([3])
  })

  it('adds how links answered', () => {
    const { links } = check({}, { links: [200, 404, 403, 0, 1, 2].flatMap((number) => link(`https://shop.example/${number}`).links) })
    expect(links.result).to.equal('pass')
    const asked = withLinkStatus(check({}, { links: links.links.map(({ url }) => ({ url, text: '' })) }), [
      { status: 200, redirects: 1, error: null }, { status: 404, redirects: 0, error: null }, { status: 403, redirects: 0, error: null },
      { status: null, redirects: 0, error: 'The link did not answer within 5 seconds.' },
      { status: null, redirects: null, error: 'Too many links to shop.example were requested. Check this mail again in a minute.' },
    ])
    expect(asked.links.links.map(({ result }) => result)).to.deep.equal(['pass', 'fail', 'warn', 'fail', 'warn', 'pass'])
    expect([asked.links.result, asked.result, asked.links.links[0]!.redirects, asked.links.links[5]!.status]).to.deep.equal(['fail', 'fail', 1, null])
  })
})

describe('Mail checks: hostile mail', () => {
  const million = (text: string) => text.repeat(2_000_000 / text.length)
  for (const piece of ['<div>', '<p style="a:b">', '<img src=cid:a>', '<!--', '<a href=#']) {
    it(`reads 2 MB of ${piece} in time`, () => { within(3_000, () => check({ html: million(piece) })) })
  }
  for (const piece of ['a{', 'a:b;', 'url(', '[', '/*', '"', '\\', ':is(', '@media(', 'a,', '!', '-']) {
    it(`reads a style sheet of 2 MB of ${piece} in time`, () => {
      within(5_000, () => check({ html: `<style>a{${million(piece)}` }))
      within(3_000, () => check({ html: `<p style='${million(piece)}'>` }))
    })
  }

  it('reads a tag of many attributes, and names that objects have', () => {
    within(3_000, () => check({ html: `<p ${Array.from({ length: 100_000 }, (_, index) => `a${index}`).join(' ')}>` }))
    expect(check({ html: '<constructor __proto__=a toString=b style="constructor:hasOwnProperty;__proto__:__proto__"><img __proto__=src>' }).images)
      .to.include({ total: 1, missing: 1 })
  })

  function within(ms: number, run: () => EmailChecks) {
    expect(processorMs(() => expect(run().clients.features.length).to.be.below(304))).to.be.below(ms)
  }
})
