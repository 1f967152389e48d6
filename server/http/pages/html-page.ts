import { createHash } from 'node:crypto'
import type { Context } from 'koa'
import type { App } from '../../context.ts'
import { escapeHtml } from '../../domain/system-mail.ts'
import { AppError } from '../../errors.ts'

/** The texts of a page, as plain text: they are escaped. */
export interface HtmlPage {
  status: number
  title: string
  paragraphs: string[]
  /** The label of a button that posts to the page itself, its query included. */
  button?: string
  /** Below the paragraphs. */
  link?: { href: string, label: string }
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
a { color: var(--deep) }
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
export function showPage(ctx: Context, page: HtmlPage) {
  ctx.status = page.status
  ctx.body = toHtml(page)
  ctx.set(headers)
}

const toHtml = ({ title, paragraphs, button, link }: HtmlPage) => `<!doctype html>
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
${link ? `<p><a href="${escapeHtml(link.href)}">${escapeHtml(link.label)}</a></p>\n` : ''}${button ? `<form method="post"><button type="submit">${escapeHtml(button)}</button></form>\n` : ''}<footer>Mayfly, temporary email</footer>
</main>
</body>
</html>
`

/** The page of an error that the reader did not cause, except by too many visits. */
export function pageOfError(app: App, ctx: Context, thrown: unknown): HtmlPage {
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
