import { createHash } from 'node:crypto'
import type { Context, Next } from 'koa'
import type { App } from '../../context.ts'
import { document } from '../../contract/document.ts'
import { escapeHtml } from '../../domain/escape-html.ts'
import { readProgramFile } from '../../program-file.ts'
import { sendAsset, toAsset } from './asset.ts'
import type { Asset } from './asset.ts'

const path = '/docs'

interface Docs {
  page: Asset
  script: Asset
  /** Has the hash of the script, so that it changes with the script. */
  scriptPath: string
  policy: string
}

/**
 * `/docs`: the reference, which Redoc renders from the document in the browser, without requests to other hosts.
 * Page and script are prepared at the first request.
 */
export function serveDocs(app: Pick<App, 'log'>) {
  let ready: Promise<Docs | undefined> | undefined
  const docs = () => ready ??= makeDocs().catch((error: unknown) => {
    app.log.error(error, 'the reference at /docs cannot be shown')
    return undefined
  })

  return async (ctx: Context, next: Next) => {
    if (ctx.method !== 'GET' && ctx.method !== 'HEAD') return next()
    if (ctx.path !== path && !ctx.path.startsWith(`${path}/`)) return next()
    const found = await docs()
    if (ctx.path === path && found) {
      ctx.set('Content-Security-Policy', found.policy)
      return sendAsset(ctx, found.page, 'no-cache')
    }
    if (ctx.path === found?.scriptPath) return sendAsset(ctx, found.script, 'public, max-age=31536000, immutable')
    return next()
  }
}

async function makeDocs(): Promise<Docs> {
  const script = await toAsset('text/javascript; charset=utf-8', readRedoc())
  const scriptPath = `${path}/redoc-${script.hash}.js`
  const page = await toAsset('text/html; charset=utf-8', toHtml(scriptPath.slice(1)))
  return { page, script, scriptPath, policy }
}

/** Redoc as one script, without the logo that it would load from its vendor's CDN. */
function readRedoc(): string {
  return redocScript().replaceAll('https://cdn.redoc.ly/redoc/logo-mini.svg', 'data:,')
}

function redocScript(): string {
  try {
    return readProgramFile(new URL('./redoc.standalone.js', import.meta.url)) // as published: the build copies it here
  } catch {
    return readProgramFile(new URL(import.meta.resolve('redoc/bundles/redoc.standalone.js')))
  }
}

const sans = 'system-ui, sans-serif'
const options = {
  nativeScrollbars: true,
  hideLoading: true,
  showExtensions: ['x-extension', 'x-extensible-enum'],
  downloadUrls: [{ title: 'openapi.yaml', url: 'openapi.yaml' }],
  theme: {
    spacing: { sectionVertical: 20 },
    colors: { primary: { main: '#1f5f4a' } },
    typography: {
      fontFamily: sans,
      headings: { fontFamily: sans },
      code: { fontFamily: 'ui-monospace, monospace' },
    },
  },
}

// addresses are relative, for a server behind a proxy that gives it a path
const start = `Redoc.init('openapi.json', ${JSON.stringify(options)}, document.getElementById('reference'))`

const policy = [
  "default-src 'none'",
  `script-src 'self' 'sha256-${createHash('sha256').update(start).digest('base64')}'`,
  "style-src 'unsafe-inline'", // Redoc adds style elements at run time
  "connect-src 'self'",
  'img-src data:',
  'worker-src blob:', // the search
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

const toHtml = (scriptPath: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)}</title>
<link rel="icon" href="data:,">
<style>body { margin: 0; font-family: ${sans} } noscript { display: block; padding: 2rem }</style>
</head>
<body>
<noscript>This reference needs JavaScript. Without, read <a href="openapi.yaml">openapi.yaml</a>.</noscript>
<div id="reference"></div>
<script src="${scriptPath}"></script>
<script>${start}</script>
</body>
</html>
`
