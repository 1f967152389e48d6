import type { App } from '../../context.ts'
import { classicDocument, document } from '../../contract/document.ts'
import type { DialectName } from '../../dialects/dialects.ts'
import { escapeHtml } from '../../domain/system-mail.ts'
import { readProgramFile } from '../../program-file.ts'
import { pageRouter, sendAsset, toAsset } from './asset.ts'
import type { Asset } from './asset.ts'
import { referenceDocument } from './reference-document.ts'

const path = '/docs'

interface Docs {
  pages: Record<DialectName, Asset>
  /** By path, with the hash of the file in it, so that it changes with the file. */
  files: Map<string, Asset>
}

/**
 * `/docs`: the reference, which Swagger UI renders from the document in the browser, without requests to other hosts. It calls operations
 * with the session of the dashboard, or with a key that the reader types. Page and files are prepared at the first request.
 */
export function serveDocs(app: Pick<App, 'log'>) {
  let ready: Promise<Docs | undefined> | undefined
  const docs = () => ready ??= makeDocs().catch((error: unknown) => {
    app.log.error(error, 'the reference at /docs cannot be shown')
    return undefined
  })

  return pageRouter()
    .get(path, async (ctx, next) => {
      const found = await docs()
      if (!found) return next()
      ctx.set('Content-Security-Policy', policy)
      return sendAsset(ctx, found.pages[ctx.query['dialect'] === 'classic' ? 'classic' : 'primary'], 'no-cache')
    })
    .get(`${path}/:file`, async (ctx, next) => {
      const file = (await docs())?.files.get(ctx.path)
      return file ? sendAsset(ctx, file, 'public, max-age=31536000, immutable') : next()
    })
    .routes()
}

async function makeDocs(): Promise<Docs> {
  const files = new Map<string, Asset>()
  /** @returns the address of a file, relative to the page, for a server behind a proxy that gives it a path */
  async function add(name: string, extension: string, type: string, text: string): Promise<string> {
    const asset = await toAsset(`${type}; charset=utf-8`, text)
    const address = `${path}/${name}-${asset.hash}.${extension}`
    files.set(address, asset)
    return address.slice(1)
  }
  const script = [readLibrary('swagger-ui-bundle.js', () => import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')), readOwn('reference.js')].join('\n')
  const style = [readLibrary('swagger-ui.css', () => import.meta.resolve('swagger-ui-dist/swagger-ui.css')), readOwn('reference.css')].join('\n')
  const shared = { script: await add('reference', 'js', 'text/javascript', script), style: await add('reference', 'css', 'text/css', style) }
  const toPage = async (dialect: DialectName) => {
    const data = await add(shownNames[dialect], 'json', 'application/json', JSON.stringify(referenceDocument(dialect)))
    return toAsset('text/html; charset=utf-8', toHtml({ ...shared, data, dialect }))
  }
  return { pages: { primary: await toPage('primary'), classic: await toPage('classic') }, files }
}

const readOwn = (name: string) => readProgramFile(new URL(`./${name}`, import.meta.url))

/** A file of Swagger UI: beside this module as published, where the build copies it, else in its package. Its source map is not served. */
function readLibrary(name: string, inPackage: () => string): string {
  return read().replace(/^(\/\/|\/\*)# sourceMappingURL=.*$/m, '')

  function read() {
    try {
      return readOwn(name)
    } catch {
      return readProgramFile(new URL(inPackage()))
    }
  }
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A link to the page of each dialect, and the document of this one. */
const dialectLinks: Record<DialectName, string> = {
  primary: '<b>Primary dialect</b> <a href="docs?dialect=classic">Classic dialect</a>',
  classic: '<a href="docs">Primary dialect</a> <b>Classic dialect</b>',
}
/** The names of the documents that the pages load. */
const shownNames: Record<DialectName, string> = { primary: 'document', classic: 'classic-document' }
const documentNames: Record<DialectName, string> = { primary: 'openapi.yaml', classic: 'openapi.classic.yaml' }

const toHtml = ({ script, style, data, dialect }: { script: string, style: string, data: string, dialect: DialectName }) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(document.info.title)}</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${style}">
</head>
<body>
<noscript>This reference needs JavaScript. Without, read <a href="${documentNames[dialect]}">${documentNames[dialect]}</a>.</noscript>
<nav><a href="./">Dashboard</a> ${dialectLinks[dialect]}</nav>
<div id="reference" data-document="${data}" data-dialect="${dialect}" data-source="${documentNames[dialect]}"></div>
<script src="${script}"></script>
</body>
</html>
`

/** Quotes text that YAML 1.1 would read as a time, number or boolean: many code generators use such a parser. */
const compat = 'yaml-1.1'

/** Serves the OpenAPI documents of both dialects, with the URL of this server. Each format is generated at its first request. */
export function serveDocuments(url: () => string) {
  const formats: Record<string, () => Promise<Asset>> = {}
  for (const [name, read] of [['openapi', () => document], ['openapi.classic', classicDocument]] as const) {
    const shown = () => ({ ...read(), servers: [{ url: url() }] })
    formats[`/${name}.json`] = once(async () => toAsset('application/json; charset=utf-8', JSON.stringify(shown())))
    formats[`/${name}.yaml`] = once(async () => toAsset('application/yaml', await toYaml(shown(), 3)))
  }
  return pageRouter().get(Object.keys(formats), async (ctx) => sendAsset(ctx, await formats[ctx.path]!(), 'no-cache')).routes()
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => made ??= make()
}

/**
 * Generates YAML in parts, with a turn of the event loop after each: the whole document takes hundreds of milliseconds.
 * @param levels depth of nested maps whose members are generated separately
 */
async function toYaml(value: object, levels: number): Promise<string> {
  const { stringify } = await import('yaml') // 72 modules, only for this path
  let text = ''
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    const isMap = typeof member === 'object' && member !== null && !Array.isArray(member) && Object.keys(member).length > 0
    if (levels > 1 && isMap) {
      const key = stringify({ [name]: null }, { nullStr: '', compat }).trimEnd()
      text += `${key}\n${(await toYaml(member, levels - 1)).replaceAll(/^(?=.)/gm, '  ')}`
    } else {
      text += stringify({ [name]: member }, { aliasDuplicateObjects: false, compat })
      await new Promise(setImmediate)
    }
  }
  return text
}
