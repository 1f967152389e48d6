/** Writes CHANGELOG.md as keepachangelog.com has it: a heading for each version, `## [Unreleased]` first, and links to their commits. */

const unreleased = /^## \[?Unreleased\]?\n/m

/**
 * Gives the changes so far the heading of a version.
 * @param day such as `2026-12-01`
 * @param repository such as `https://github.com/owner/name`; without one there are no links
 */
export function withVersion(text: string, version: string, day: string, repository?: string): string {
  const [, previous] = /^## \[?(\d[^\s\]]*)/m.exec(text) ?? []
  const [name, heading] = repository ? ['[Unreleased]', `[${version}]`] : ['Unreleased', version]
  const titled = text.replace(unreleased, `## ${name}\n\n## ${heading} - ${day}\n`)
  if (titled === text) throw new Error('CHANGELOG.md has no heading "## Unreleased"')
  if (!repository) return titled
  const link = previous ? `compare/v${previous}...v${version}` : `releases/tag/v${version}`
  const [body, links = ''] = titled.split(/^\[Unreleased\]: .*\n/m)
  return `${body!.trimEnd()}\n\n[Unreleased]: ${repository}/compare/v${version}...HEAD\n[${version}]: ${repository}/${link}\n${links}`
    .replace(/\n\n+(\[Unreleased\]: )/, '\n\n$1')
}

/** The changes of a version, or those since the last one where it has no heading yet. */
export function changesOf(text: string, version: string): string {
  const sections = text.split(/^## /m)
  const [section = ''] = [version, 'Unreleased'].flatMap((name) => sections.filter((part) => /^\[?([^\s\]]+)/.exec(part)?.[1] === name))
  return `${section.slice(section.indexOf('\n')).replaceAll(/^\[.*\]: .*\n/gm, '').trim()}\n`
}
