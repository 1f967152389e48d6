import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The folder of the checkout. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** The sidebar: the sources of pages below each title, in the order in which a reader needs them. */
export const sidebar: Record<string, string[]> = {
  'Start': ['README.md', 'docs/self-hosting.md', 'docs/dashboard.md'],
  'Tutorials': [
    'docs/frameworks.md', 'docs/playwright-and-other-runners.md', 'docs/ci.md', 'docs/agents.md', 'docs/testing-with-keys.md', 'docs/mock.md',
    'examples/README.md',
  ],
  'How to': [
    'docs/app-mail.md', 'sdk/README.md', 'python/README.md', 'docs/command-line.md', 'docs/http.md', 'docs/webhooks.md',
    'docs/sending-and-forwarding.md',
  ],
  'Run a server': ['docs/accounts-and-keys.md', 'docs/upgrading.md', 'docs/postgres.md', 'docs/several-nodes.md', 'docs/at-scale.md'],
  'Reference': ['docs/settings.md', 'docs/glossary.md', 'CHANGELOG.md'],
  'Explanation': ['docs/security.md', 'ARCHITECTURE.md', 'docs/decisions/README.md', ...files('docs/decisions/0*.md')],
  'Project': ['ROADMAP.md', 'CONTRIBUTING.md', 'STYLE.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md'],
}

/** The files of a pattern, in the order of their names. */
export function files(pattern: string): string[] {
  return globSync(pattern, { cwd: root }).map((path) => path.replaceAll('\\', '/')).sort()
}

/** The path of a page in the site: `docs/agents.md` → `agents.md`, `SECURITY.md` → `project/security.md`, beside `docs/security.md`. */
export function pathOf(source: string): string {
  const path = source.includes('/') || source === 'README.md' ? source : `project/${source.toLowerCase()}`
  return path.replace(/^docs\//, '').replace(/README\.md$/, 'index.md')
}

export const readSource = (path: string): string => readFileSync(`${root}/${path}`, 'utf8')

/** Titles of pages whose heading is the name of a package. */
const titles: Record<string, string> = { 'sdk/index.md': 'SDK for TypeScript', 'python/index.md': 'SDK for Python' }

/** The title of a page in the sidebar: its first heading. */
export const titleOf = (path: string, text: string): string => titles[path] ?? /^# (.*)$/m.exec(text)![1]!.replaceAll('`', '')
