import { fileURLToPath } from 'node:url'
import { nextVersion } from '../build/next-version.ts'
import { breaksBetween, refusalOf } from './breaks.ts'
import { documentFile } from './document.ts'
import { releasedDocument } from './released.ts'

/** Fails when the document breaks clients of the last release, unless the next version allows that (docs/decisions/0005). */
const { file, version: released } = releasedDocument()
const refusal = refusalOf(await breaksBetween(file, fileURLToPath(documentFile)), { released, next: nextVersion() })
if (refusal) {
  console.error(refusal)
  process.exitCode = 1
}
