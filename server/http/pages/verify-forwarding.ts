import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import type { App } from '../../context.ts'
import { followLink, readLink, verificationPath } from '../../domain/forwarding-addresses.ts'
import type { LinkState } from '../../domain/forwarding-addresses.ts'
import { escapeHtml } from '../../domain/system-mail.ts'
import { AppError } from '../../errors.ts'
import { rateLimit } from '../operations/rate-limit.ts'
import { pageRouter } from './asset.ts'

/**
 * The page behind the link of a verification mail. A GET changes nothing, because mail scanners follow links; only the POST of its
 * button verifies.
 */
export function verifyForwarding(app: App) {
  const limit = rateLimit(app, 'visits')
  return pageRouter().all(verificationPath, async (ctx) => {
    try {
      await limit.count(ctx, undefined)
      showPage(ctx, await pageFor(app, ctx))
    } catch (thrown) {
      showPage(ctx, pageOfError(app, ctx, thrown))
    }
  }).routes()
}

async function pageFor(app: App, ctx: Context): Promise<HtmlPage> {
  const token = typeof ctx.query['token'] === 'string' ? ctx.query['token'] : ''
  if (ctx.method === 'GET' || ctx.method === 'HEAD') {
    const link = await readLink(app, token)
    return link.kind === 'open' ? question(app, link.email) : ended(link)
  }
  if (ctx.method === 'POST') {
    // the body of the request is not read
    const { isNew, ...link } = await followLink(app, token)
    return isNew && link.kind !== 'unknown' ? thanks(link.email) : ended(link)
  }
  ctx.set('Allow', 'GET, HEAD, POST')
  return {
    status: 405,
    title: 'This page cannot be used like that',
    paragraphs: ['Open the link in the verification email in a browser.'],
  }
}

const question = ({ config }: App, email: string): HtmlPage => ({
  status: 200,
  title: `Forward mail to ${email}?`,
  paragraphs: [
    `A user of Mayfly, the temporary email service at ${config.defaultDomain}, would like to have mail from temporary ` +
    `addresses forwarded to ${email}.`,
    'If that was you, confirm it. If it was not, close this page: nothing will be forwarded.',
  ],
  button: 'Yes, forward mail to me',
})

const thanks = (email: string): HtmlPage => ({
  status: 200,
  title: 'Thank you, that is done',
  paragraphs: [`${email} is verified: mail can be forwarded there now. You can close this page.`],
})

function ended(link: LinkState): HtmlPage {
  if (link.kind === 'verified') {
    return {
      status: 200,
      title: 'This is done already',
      paragraphs: [`${link.email} is verified already, so there is nothing left to do. You can close this page.`],
    }
  }
  if (link.kind === 'unknown') {
    return {
      status: 404,
      title: 'This link is not known',
      paragraphs: [
        'It may be incomplete, replaced by that of a newer email, or its forwarding address was removed.',
        'Open the link in the newest verification email, or have a new one sent. Nothing was changed.',
      ],
    }
  }
  return {
    status: 410,
    title: 'This link has expired',
    paragraphs: [
      `Links hold for 24 hours, and this one for ${link.email} is older.`,
      'Have a new verification email sent, and open the link in that. Nothing was changed.',
    ],
  }
}

function pageOfError(app: App, ctx: Context, thrown: unknown): HtmlPage {
  if (thrown instanceof AppError && thrown.code === 'RATE_LIMITED') {
    ctx.set('Retry-After', String(thrown.retryAfter))
    return { status: thrown.status, title: 'Too many visits', paragraphs: [`Try again in ${thrown.retryAfter} seconds. Nothing was changed.`] }
  }
  app.log.error({ err: thrown, requestId: ctx.state.requestId }, 'request failed')
  return {
    status: 500,
    title: 'Something went wrong',
    paragraphs: ['That is the fault of this server. Try again in a few minutes.'],
  }
}

/** The texts of a page, as plain text: they are escaped. */
interface HtmlPage {
  status: number
  title: string
  paragraphs: string[]
  /** The label of a button that posts to the page itself, its query included. */
  button?: string
}

const style = `
:root { color-scheme: light dark; --ground: #f4f3ef; --sheet: #fff; --ink: #22241f; --deep: #1f5f4a; --on-deep: #fff }
@media (prefers-color-scheme: dark) {
  :root { --ground: #191b19; --sheet: #242724; --ink: #e9ebe6; --deep: #8fd6b8; --on-deep: #10281f }
}
* { box-sizing: border-box }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--ground);
  color: var(--ink); font: 1rem/1.55 system-ui, sans-serif }
main { width: 100%; max-width: 30rem; padding: clamp(1.25rem, 6vw, 2.5rem); background: var(--sheet); border-radius: 1rem }
h1 { margin: 0 0 1rem; font-size: 1.4rem; line-height: 1.3 }
h1, p { overflow-wrap: anywhere }
p { margin: 0 0 1rem }
button { width: 100%; min-height: 3.25rem; margin: .5rem 0 0; padding: .75rem 1rem; border: 0; border-radius: .75rem;
  background: var(--deep); color: var(--on-deep); font: inherit; font-weight: 600; cursor: pointer }
button:focus-visible { outline: 3px solid; outline-offset: 3px }
footer { margin: 1.5rem 0 0; font-size: 1rem; opacity: .75 }
`

/** Content Security Policy: no scripts and no resources but this style; no framing (clickjacking); forms go to this server only. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

const headers = {
  'Content-Security-Policy': policy,
  'Content-Type': 'text/html; charset=utf-8',
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Robots-Tag': 'noindex, nofollow',
}

/** Answers with an HTML page that is readable on a phone, has no scripts, and loads nothing from other hosts. */
function showPage(ctx: Context, page: HtmlPage) {
  ctx.status = page.status
  ctx.body = toHtml(page)
  ctx.set(headers)
}

const toHtml = ({ title, paragraphs, button }: HtmlPage) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
${paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`).join('\n')}
${button ? `<form method="post"><button type="submit">${escapeHtml(button)}</button></form>\n` : ''}<footer>Mayfly, temporary email</footer>
</main>
</body>
</html>
`
