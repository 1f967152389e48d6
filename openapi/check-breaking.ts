import { nextVersion } from '../build/next-version.ts'
import { breaksBetween, refusalOf } from './breaks.ts'
import { releasedDocuments } from './released.ts'

/** Fails when a document breaks clients of the last release, unless the next version allows that (docs/decisions/0005). */
for (const { file, version: released, current } of releasedDocuments()) {
  const refusal = refusalOf(await breaksBetween(file, current), { released, next: nextVersion() })
  if (!refusal) continue
  console.error(refusal)
  process.exitCode = 1
}
