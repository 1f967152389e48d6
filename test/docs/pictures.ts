import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDashboard } from '../support/dashboard.ts'
import { root } from './page.ts'

// `npm run node -- test/docs/pictures.ts`: writes docs/pictures/dashboard-light.png and -dark.png, of the real dashboard with mails that
// arrive over SMTP, and the badges of the README. Run it after a change of the page Mail.

const badges = { licence: ['licence', 'MIT'], node: ['Node', '20 or newer'] } as const

const code = `<div style="font-family: sans-serif; max-width: 520px; margin: 0 auto; padding: 24px 0">
  <h1 style="font-size: 22px">Confirm your address</h1>
  <p>Hello Ada, welcome to Harbour Shop. Enter this code on the page that you came from:</p>
  <p style="font-size: 34px; letter-spacing: 8px; font-weight: bold; text-align: center; background: #eef4f7; padding: 16px">482913</p>
  <p><a href="https://harbour.example/confirm?token=1f6c9a" style="background: #0b6b83; color: #fff; padding: 12px 20px; border-radius: 6px; text-decoration: none; display: inline-block">Confirm in one step</a></p>
  <p style="color: #667">The code is valid for 10 minutes. If you did not sign up, ignore this mail.</p>
</div>`

const mails = [
  { from: 'Weekly <news@weekly.example>', subject: 'Ten things to read this week', html: '<h1>Weekly</h1><p>The tools that our readers liked, and a long read about tides.</p>' },
  { from: 'Ferry Line <tickets@ferry.example>', subject: 'Your login code', text: 'Use 604 118 to sign in at ferry.example. It is valid for 5 minutes.' },
  { from: 'Billing <billing@harbour.example>', subject: 'Invoice 2026-1042', text: 'Dear Ada, your invoice is attached. Thank you for your order.', attachments: [{ filename: 'invoice-2026-1042.pdf', content: '%PDF-1.4' }] },
  { from: 'Harbour Shop <orders@harbour.example>', subject: 'Your order is on its way', text: 'Parcel 00340434161094042557 leaves the warehouse today: https://track.example/00340434161094042557' },
  { from: 'متجر السوق <orders@souq.example>', subject: 'رمز التأكيد الخاص بك هو 739104', text: 'رمز التأكيد الخاص بك هو 739104' },
  { from: 'Lantern Accounts <team@lantern.example>', subject: 'Reset your password', text: 'Choose a new password here: https://accounts.lantern.example/reset?t=8c2e41. The link is valid for one hour.' },
  { from: 'Harbour Shop <no-reply@harbour.example>', subject: 'Confirm your address', html: code },
]

await using dashboard = await openDashboard()
const page = await dashboard.openPage({ viewport: { width: 1280, height: 640 }, deviceScaleFactor: 1.5 })
const { app, url } = dashboard
for (const alias of ['newsletter', 'password-reset', 'checkout']) await app.newAddress({ alias })
const { id, address } = await app.newAddress({ alias: 'sign-up' })
for (const mail of mails) await app.send({ ...mail, to: address })
const [newest] = await app.listEmails({ address_id: id })
await page.goto(`${url}/mail/${id}/${newest!.id}`)
await page.frameLocator('iframe[title=Message]').getByText('482913').waitFor()

mkdirSync(join(root, 'docs/pictures'), { recursive: true })
for (const [name, [title, value]] of Object.entries(badges)) writeFileSync(join(root, `docs/pictures/${name}.svg`), badge(title, value))
for (const colorScheme of ['light', 'dark'] as const) {
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
  await page.waitForTimeout(1000) // the transition of colours
  await page.screenshot({ path: join(root, `docs/pictures/dashboard-${colorScheme}.png`) })
}

function badge(title: string, value: string): string {
  const [left, right] = [title, value].map((text) => Math.round(text.length * 6.6) + 14) as [number, number]
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${title}: ${value}">
<rect width="${left + right}" height="20" rx="4" fill="#444c56"/><path d="M${left} 0h${right - 4}a4 4 0 0 1 4 4v12a4 4 0 0 1-4 4h-${right - 4}z" fill="#1f6f54"/>
<g fill="#fff" font-family="Verdana,'DejaVu Sans',sans-serif" font-size="11" text-anchor="middle">
<text x="${left / 2}" y="14">${title}</text><text x="${left + right / 2}" y="14">${value}</text></g></svg>
`
}
