import { texts } from '../texts.ts'

/** A file of the pages did not load. */
export class PartError extends Error {
  override name = 'PartError'
  /** Nothing helps but to load the page again. */
  readonly needsReload: boolean

  constructor(message: string, { needsReload = false, cause }: { needsReload?: boolean, cause?: unknown } = {}) {
    super(message, { cause })
    this.needsReload = needsReload
  }
}

const retryDelaysMs = [300, 1_500]
const loaded = new Set<string>()

/**
 * Runs a dynamic import, in place of the helper of Vite. A browser imports a module no second time after a failure, until the page is
 * loaded again. So the files are fetched before, with retries, and imported from the browser's cache.
 * @param files of the chunk: itself, the chunks that it imports, style sheets. Empty where the page has all but itself
 * @throws PartError
 */
export async function preload<Module>(load: () => Promise<Module>, files: string[] = [], importer?: string): Promise<Module> {
  const urls = files.map((file) => new URL(file, importer ?? new URL(import.meta.env.BASE_URL, location.href)).href)
  await Promise.all(urls.filter((url) => !loaded.has(url)).map(async (url) => {
    await fetchFile(url)
    if (url.endsWith('.css')) await addStyles(url)
    loaded.add(url)
  }))
  return load().catch((cause: unknown) => { throw new PartError(texts.errors.part, { needsReload: true, cause }) })
}

async function fetchFile(url: string) {
  for (const delayMs of [...retryDelaysMs, undefined]) {
    const answer = await fetch(url).then(async ({ status, body }) => {
      await body?.pipeTo(new WritableStream()) // to its end, so that the browser keeps it
      return status
    }).catch((cause: unknown) => cause)
    if (answer === 200) return
    if (answer === 404) throw new PartError(texts.errors.outdated, { needsReload: true })
    if (delayMs === undefined) throw new PartError(typeof answer === 'number' ? texts.errors.part : texts.offline.error, { cause: answer })
    await new Promise((resolve) => { setTimeout(resolve, delayMs) })
  }
}

const addStyles = (href: string) => new Promise((resolve, reject) => {
  if ([...document.styleSheets].some((sheet) => sheet.href === href)) return resolve(undefined)
  const fail = () => {
    link.remove()
    reject(new PartError(texts.errors.part))
  }
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', crossOrigin: '', href, onload: resolve, onerror: fail })
  const last = [...document.querySelectorAll('link[rel=stylesheet]')].at(-1)!
  last.after(link) // so that styles of a part come after those of the components that it uses
})
