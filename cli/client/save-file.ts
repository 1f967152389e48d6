import { mkdir, open, rm } from 'node:fs/promises'
import { extname, join, resolve } from 'node:path'
import { CliError } from '../cli-error.ts'

/** Names that Windows reserves for devices, with any extension. */
const devices = /^(con|prn|aux|nul|com\d|lpt\d)(\.|$)/i
const maxNameBytes = 200

/**
 * Makes a file name safe: without a path, against path traversal; not hidden; not beginning with `-`, which commands would take for an
 * option; and allowed on every system.
 */
export function safeName(name: string): string {
  const bare = name.toWellFormed().normalize('NFC')
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .split(/[/\\]/).at(-1)!
    .replaceAll(/[<>:"|?*]/g, '_')
    .replace(/^[.\s]+/, '')
    .replace(/^-/, '_')
    .replace(/[.\s]+$/, '')
  const short = shorten(bare) || 'attachment'
  return devices.test(short) ? `_${short}` : short
}

function shorten(name: string) {
  if (Buffer.byteLength(name) <= maxNameBytes) return name
  const extension = Buffer.byteLength(extname(name)) <= 20 ? extname(name) : ''
  let stem = ''
  for (const character of name.slice(0, name.length - extension.length)) {
    if (Buffer.byteLength(stem + character + extension) > maxNameBytes) break
    stem += character
  }
  return stem.trimEnd() + extension
}

/**
 * Writes a new file and never overwrites one: where the name is taken, " (2)" and so on are added to it.
 * @returns its path
 */
export async function saveFile(folder: string, name: string, content: Uint8Array, signal: AbortSignal): Promise<string> {
  const safe = safeName(name)
  const extension = extname(safe)
  try {
    await mkdir(folder, { recursive: true })
    for (let number = 1; number < 10_000; number++) {
      const path = join(resolve(folder), number === 1 ? safe : `${safe.slice(0, safe.length - extension.length)} (${number})${extension}`)
      // exclusive, so that it follows no symbolic link
      const file = await open(path, 'wx').catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error
      })
      if (!file) continue
      try {
        await file.writeFile(content, { signal })
      } catch (error) {
        await rm(path, { force: true })
        throw error
      } finally {
        await file.close()
      }
      return path
    }
  } catch (error) {
    if (signal.aborted) throw signal.reason
    throw new CliError(`${safe} cannot be saved: ${(error as Error).message}`, 1, { cause: error })
  }
  throw new CliError(`${safe} cannot be saved: ${folder} has too many files of this name.`)
}
