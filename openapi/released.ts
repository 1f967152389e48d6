import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { classicFile, documentFile } from './document.ts'

/** The folder of the last released documents, which have their version in their names. */
const released = fileURLToPath(new URL('./released/', import.meta.url))
/** The documents, with the beginning of the name of the released one. */
const documents = { 'openapi-': documentFile, 'openapi.classic-': classicFile }
type Kept = keyof typeof documents

const versionIn = (name: string, begin: Kept) => name.startsWith(begin) && name.endsWith('.yaml') ? name.slice(begin.length, -'.yaml'.length) : undefined

const isReleased = (name: string) => (Object.keys(documents) as Kept[]).some((begin) => versionIn(name, begin) !== undefined)

/** @throws Error when there is not exactly one */
export function releasedDocument(folder = released, begin: Kept = 'openapi-'): { file: string, version: string } {
  const names = readdirSync(folder).filter((name) => versionIn(name, begin) !== undefined)
  if (names.length !== 1) throw new Error(`${folder} holds ${names.length} released documents ${begin}, not one`)
  return { file: join(folder, names[0]!), version: versionIn(names[0]!, begin)! }
}

/** Each document with the released one; the classic dialect is not in version 0.1. */
export const releasedDocuments = (folder = released): { file: string, version: string, current: string }[] =>
  (Object.keys(documents) as Kept[])
    .filter((begin) => begin === 'openapi-' || readdirSync(folder).some((name) => versionIn(name, begin) !== undefined))
    .map((begin) => ({ ...releasedDocument(folder, begin), current: fileURLToPath(documents[begin]) }))

/** Keeps the current documents as those of a version, and removes the earlier ones. */
export function keepReleased(version: string, folder = released): void {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder).filter(isReleased)) rmSync(join(folder, name))
  for (const [begin, file] of Object.entries(documents)) copyFileSync(file, join(folder, `${begin}${version}.yaml`))
}
