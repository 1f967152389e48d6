import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { documentFile } from './document.ts'

/** The folder of the last released document, which has its version in its name. */
const released = fileURLToPath(new URL('./released/', import.meta.url))
const fileName = /^openapi-(.+)\.yaml$/

/** @throws Error when there is not exactly one */
export function releasedDocument(folder = released): { file: string, version: string } {
  const names = readdirSync(folder).filter((name) => fileName.test(name))
  if (names.length !== 1) throw new Error(`${folder} holds ${names.length} released documents, not one`)
  return { file: join(folder, names[0]!), version: fileName.exec(names[0]!)![1]! }
}

/** Keeps the current document as that of a version, and removes the earlier one. */
export function keepReleased(version: string, folder = released): void {
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder).filter((name) => fileName.test(name))) rmSync(join(folder, name))
  copyFileSync(documentFile, join(folder, `openapi-${version}.yaml`))
}
