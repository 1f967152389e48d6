import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import semver from 'semver'
import { readManifest } from './manifest.ts'
import { root } from './paths.ts'

const bumps = ['patch', 'minor', 'major'] as const

/** The version that `npm run node -- build/version.ts` would set: that of package.json, raised by the files in .changeset. */
export function nextVersion(folder = root): string {
  const { version } = readManifest(folder)
  const requested = globSync('.changeset/*.md', { cwd: folder }).map((file) => bumpOf(readFileSync(join(folder, file), 'utf8')))
  const highest = bumps.findLast((bump) => requested.includes(bump))
  return highest ? semver.inc(version, highest)! : version
}

/** A changeset begins with `---`, lines such as `"@mayfly-mail/sdk": minor`, and `---`. */
function bumpOf(text: string): string | undefined {
  const [, head = ''] = /^---\r?\n(.*?)\r?\n---/s.exec(text) ?? []
  return bumps.findLast((bump) => new RegExp(`^["']?@mayfly-mail/sdk["']?: ${bump}$`, 'm').test(head))
}
