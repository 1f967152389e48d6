import { MayflyError } from '@mayfly-mail/sdk'
import { texts } from '../texts.ts'
import { send } from './session.ts'

/** The server was updated: it does not have the files of this page any more. */
export class OutdatedError extends MayflyError {}

const retryDelaysMs = [300, 1_500]

/**
 * Loads a chunk of the pages, with its style sheets.
 * @throws OutdatedError, NetworkError when the server does not answer, MayflyError when it has no usable file
 */
export async function loadPart<Part>(load: () => Promise<Part>): Promise<Part> {
  for (let failures = 0; ; failures++) {
    try {
      if (failures > 0) await loadStylesAgain()
      return await load()
    } catch (cause) {
      const delayMs = retryDelaysMs[failures]
      const wasUpdated = await isOutdated().catch((error: unknown) => {
        if (delayMs === undefined) throw error
      })
      if (wasUpdated) throw new OutdatedError(texts.errors.outdated, { cause })
      if (delayMs === undefined) throw new MayflyError(texts.errors.part, { cause })
      await new Promise((resolve) => { setTimeout(resolve, delayMs) })
    }
  }
}

/** Whether the server's page names other scripts than this one. */
async function isOutdated(): Promise<boolean> {
  const response = await send(new Request(location.href, { headers: { accept: 'text/html' } }))
  const page = await response.text()
  return response.ok && [...document.scripts].some(({ src }) => !page.includes(src.slice(src.lastIndexOf('/') + 1)))
}

/** Vite adds a style sheet to the page once, also when that fails. */
const loadStylesAgain = () => Promise.all([...document.querySelectorAll<HTMLLinkElement>('link[rel=stylesheet]')]
  .filter(({ sheet }) => !sheet)
  .map((failed) => new Promise((resolve, reject) => {
    const link = Object.assign(failed.cloneNode() as HTMLLinkElement, { onload: resolve, onerror: reject })
    failed.replaceWith(link)
  })))
