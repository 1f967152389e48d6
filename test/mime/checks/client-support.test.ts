import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { checkMail } from '../../../server/mime/checks/mail-checks.ts'

/** A mail for each feature of the data of caniemail.com, by its name there. */
const uses: Record<string, string> = {
  'css-display-grid': '<p style="display:grid">',
  'css-gap': '<p style="row-gap:1px">',
  'css-border-radius': '<p style="border-top-left-radius:1px">',
  'css-background-image': '<p style="background-image:url(https://shop.example/a.png)">',
  'css-linear-gradient': '<p style="background:linear-gradient(red, blue)">',
  'css-margin': '<p style="margin-top:1px">',
  'css-unit-rem': '<p style="width:1.5rem">',
  'css-unit-calc': '<p style="width:CALC(1px + 2px)">',
  'css-variables': '<p style="color:var(--main)">',
  'css-important': '<p style="color:red ! important">',
  'css-at-media-prefers-color-scheme': '<style>@media (prefers-color-scheme:dark){p{color:red}}</style>',
  'css-at-font-face': '<style>@font-face{font-family:a;src:url(a.woff2)}</style>',
  'css-pseudo-class-hover': '<style>a:hover{color:red}</style>',
  'css-pseudo-element-before': '<style>p::before{color:red}</style>',
  'css-selector-attribute': '<style>p[title="x"]{color:red}</style>',
  'css-selector-id': '<style>#a{color:red}</style>',
  'css-selector-universal': '<style>*{color:red}</style>',
  'css-selector-child': '<style>p > b{color:red}</style>',
  'html-video': '<video src="https://shop.example/a"></video>',
  'html-align': '<p align="left">',
  'html-srcset': '<img srcset="https://shop.example/a.png 2x">',
  'html-anchor-links': '<a href="#top">Top</a>',
  'html-input-checkbox': '<input type="checkbox">',
  'html-meta-color-scheme': '<meta name="color-scheme" content="dark">',
  'image-webp': '<img src="https://shop.example/a.webp?x=1">',
  'image-base64': '<img src="data:image/png;base64,AA==">',
}

type Stats = Record<string, Record<string, Record<string, string>>>
const data = new URL(import.meta.resolve('caniemail/caniemail.json'))
const { data: features } = JSON.parse(readFileSync(data, 'utf8')) as { data: { slug: string, stats: Stats }[] }

/** Of clients whose versions are dates, or one. */
const clients = {
  'gmail-webmail': ['gmail', 'desktop-webmail'], 'gmail-android': ['gmail', 'android'], 'yahoo-webmail': ['yahoo', 'desktop-webmail'],
  'outlook-windows': ['outlook', 'windows'], 'protonmail-webmail': ['protonmail', 'desktop-webmail'], 'fastmail-webmail': ['fastmail', 'desktop-webmail'],
  'windows-mail': ['outlook', 'windows-mail'], 'gmx-webmail': ['gmx', 'desktop-webmail'],
} as const

describe('Mail checks: support by mail clients', () => {
  for (const [slug, html] of Object.entries(uses)) {
    it(`of ${slug} is that of caniemail.com`, () => {
      const source = Buffer.from(`From: a@shop.example\r\nContent-Type: text/html\r\n\r\n${html}`)
      const found = checkMail(source, { authentication: null, links: [] }).clients.features.find(({ id }) => id === slug)
      const { stats } = features.find((feature) => feature.slug === slug)!
      for (const [client, [family, platform]] of Object.entries(clients)) {
        const versions = stats[family]?.[platform]
        const support = versions && versions[Object.keys(versions).sort().at(-1)!]![0]
        expect([found?.partial.includes(client), found?.unsupported.includes(client)], client).to.deep.equal([support === 'a', support === 'n'])
      }
    })
  }
})
