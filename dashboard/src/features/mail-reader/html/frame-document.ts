import { blockedImage } from './blocked-image.ts'
import type { SanitisedMail } from './sanitise.ts'
import type { MailImage } from './urls.ts'

/** No scripts and no forms. The same origin lets the page measure the frame; links open outside of it. */
export const frameSandbox = 'allow-same-origin allow-popups allow-popups-to-escape-sandbox'

/** The colours in which a mail is shown: `dark` by its own styles for dark colours; `inverted` for a mail without any. */
export type Scheme = 'light' | 'dark' | 'inverted'

interface FrameOptions {
  isRemoteAllowed: boolean
  scheme?: Scheme
  nonce: string
  /** HTML before the mail, which must be safe. */
  heading?: string
}

type Shown = Pick<SanitisedMail, 'root' | 'styles' | 'body' | 'images'>

const darkQuery = /\(\s*prefers-color-scheme\s*:\s*dark\s*\)/gi
const lightQuery = /\(\s*prefers-color-scheme\s*:\s*light\s*\)/gi

/** Whether a mail has styles of its own for dark colours. */
export const hasDarkStyles = ({ styles, body }: Pick<Shown, 'styles' | 'body'>): boolean => styles.search(darkQuery) >= 0 || body.search(darkQuery) >= 0

/** Queries of the scheme are those of the browser, which no frame can change: here they hold for dark colours. */
const withDarkQueries = (css: string) => css.replaceAll(darkQuery, '(min-width: 0)').replaceAll(lightQuery, '(max-width: 0)')

const styleElements = /<style\b[^>]*>[^<]*<\/style>/gi

/**
 * The document of the frame in which a mail is shown, without references to other hosts until they are allowed. Its policy comes first, and
 * applies beside that of the page.
 */
export function frameDocument(mail: Shown, { isRemoteAllowed, scheme = 'light', nonce, heading = '' }: FrameOptions): string {
  const isDark = scheme === 'dark'
  const styles = isDark ? withDarkQueries(mail.styles) : mail.styles
  const body = isDark ? mail.body.replaceAll(styleElements, withDarkQueries) : mail.body
  const keepsImages = scheme === 'inverted' && (body.match(/<img\b/gi)?.length ?? 0) <= maxFiltered
  const meta = `<meta name="color-scheme" content="only ${isDark ? 'dark' : 'light'}">`
  return `
<!doctype html>${mail.root}<head><meta http-equiv="Content-Security-Policy" content="${policy(isRemoteAllowed ? mail.images : [])}"><meta charset="utf-8">
<meta name="referrer" content="no-referrer"><meta http-equiv="x-dns-prefetch-control" content="off">${meta}
<title>Message</title><base target="_blank"><style nonce="${nonce}">${schemeStyles[scheme]}${keepsImages ? keptImages : ''}${baseStyle}</style>${styles}</head>${heading}${body}</html>`.trimStart()
}

/** Images keep their colours when the frame is inverted, unless they are many: a filter is costly to paint. */
const maxFiltered = 50
const schemeStyles: Record<Scheme, string> = {
  light: 'html { color: #1f2328; color-scheme: only light }',
  dark: 'html { color: #e6edf3; background: #121212; color-scheme: only dark }',
  inverted: 'html { color: #1f2328; background: #fff; color-scheme: only light }',
}

const keptImages = ' img { filter: invert(1) hue-rotate(180deg) }'

const policy = (images: MailImage[]) => [
  "default-src 'none'",
  ['img-src data: blob:', ...imageSources(images)].join(' '),
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Maximum sources of a policy: the browser compares each image with each of them. */
const maxSources = 100

/**
 * A browser applies the policy to redirects too. By plain HTTP these lead to the hosts of the mail alone, not into the reader's own network
 * (CSRF); hosts of HTTPS have a certificate of their name.
 */
function imageSources(images: MailImage[]): string[] {
  const origins = images.flatMap((image) => image.kind === 'remote' ? new URL(image.url).origin : [])
  if (origins.length === 0) return []
  return ['https:', ...[...new Set(origins)].filter((origin) => /^http:\/\/[\w.-]+(?::\d+)?$/.test(origin)).slice(0, maxSources)]
}

/** An attribute of the root, by which long words and lines are broken. A mail cannot have it, because its data attributes are removed. */
export const brokenLines = 'data-broken-lines'

/** For mails without styles. `break-word` leaves the widths of tables as they are. */
const baseStyle = `
body { margin: 16px; font: 14px/1.5 system-ui, sans-serif; overflow-wrap: break-word }
img { max-width: 100%; object-fit: contain }
pre { white-space: pre-wrap }
[${blockedImage}] { display: inline-block; box-sizing: border-box; max-width: 100%; overflow: hidden; vertical-align: bottom; background: #8881; color: #6e7781; font: 12px/1.4 system-ui, sans-serif }
[${brokenLines}] body { overflow-wrap: anywhere }
[${brokenLines}] pre { white-space: pre-wrap !important }
blockquote { margin-inline: 0; padding-inline-start: 12px; border-inline-start: 3px solid #d0d7de }`

/**
 * Loads a document into a frame. It has a blob: URL in place of `srcdoc`, because Chromium sends the address of the page as the referrer of
 * images in style sheets otherwise, whatever the referrer policy. It inherits the policy of the page in both cases.
 * @returns a function that frees its memory
 */
export function loadDocument(frame: HTMLIFrameElement, source: string): () => void {
  const url = URL.createObjectURL(new Blob([source], { type: 'text/html; charset=utf-8' }))
  frame.src = url
  return () => URL.revokeObjectURL(url)
}

/** @param text as `shownText` returns it @returns a document for it */
export const textBody = (text: string): SanitisedMail => {
  const pre = document.createElement('pre')
  pre.dir = 'auto'
  pre.textContent = text
  return { root: '<html style="display: none !important">', styles: '', body: `<body>${pre.outerHTML}</body>`, images: [], blockedCount: 0 }
}
