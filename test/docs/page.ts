import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** The pages for users. The other documents are for those who change Mayfly. */
export const pages = ['README.md', ...globSync('docs/*.md', { cwd: root }).filter((path) => path !== 'docs/glossary.md').sort()]

export interface Block {
  /** Page and number, such as `docs/http.md 2`. */
  name: string
  code: string
}

/** The code blocks of a page in a language. */
export function blocksOf(path: string, language: string): Block[] {
  const text = readFileSync(`${root}/${path}`, 'utf8')
  return [...text.matchAll(new RegExp(`^( *)\`\`\`${language}\\n([^]*?)^ *\`\`\`$`, 'gm'))].map(([, , code], i) => ({ name: `${path} ${i + 1}`, code: code! }))
}

/** Pages whose commands another test runs, since they need a server that is stopped. */
const pagesElsewhere: [page: string, test: string][] = [['docs/upgrading.md', 'test/cli/upgrading.test.ts']]

/** The commands of a page that run beside a server. */
export const commandsOf = (path: string): Block[] => pagesElsewhere.some(([page]) => page === path) ? [] : blocksOf(path, 'sh')

/** Commands that other tests run, since they take long or need another machine. */
const runElsewhere: [command: RegExp, test: string][] = [
  [/^npm ci && npm (start|test)$/, 'test/fresh/main.ts'],
  [/^npm run build -- packages$|^npm pack |^npm run build -- sdk && npm pack /, 'test/packages/packages.test.ts'],
  [/^npm run build -- executable$|^\.\/dist\/mayfly-/, 'test/packages/executable.test.ts'],
]

export interface Places {
  /** URL of the API. */
  url: string
  smtpPort: string
  key: string
  mockPort: number
}

const keepsRunning = /^(\S.*?) +# .*(another terminal|keeps running).*$/

/**
 * The shell script that runs the blocks of a page one after the other, in one shell, and prints a line before each.
 * It ends with the first command that fails.
 */
export function toScript(blocks: Block[], { url, smtpPort, key, mockPort }: Places): string {
  const lines = blocks.flatMap(({ name, code }) => [`echo '::: ${name}'`, ...code.trimEnd().split('\n')])
  const script = lines
    .filter((line) => !runElsewhere.some(([command]) => command.test(line.replace(/ +#.*$/, ''))))
    .map((line) => {
      const command = keepsRunning.exec(line)?.[1]
      return command ? `${command} > running.log 2>&1 & RUNNING="$RUNNING $!"; until [ -s running.log ]; do sleep 0.05; done` : line
    })
    .join('\n')
    .replaceAll('http://localhost:3000', url).replaceAll('127.0.0.1:2525', `127.0.0.1:${smtpPort}`).replaceAll('svc_live_…', key)
    .replaceAll('npx mayfly mock', `npx mayfly mock --port ${mockPort}`).replaceAll('127.0.0.1:4010', `127.0.0.1:${mockPort}`)
  return `set -e\nRUNNING=\ntrap 'for pid in $RUNNING; do kill $pid; done' EXIT\n${script}\n`
}

/** Programs that other tests run, since they need a runner. */
const programsElsewhere: [block: string, test: string][] = [
  ['docs/playwright-and-other-runners.md 1', 'test/examples/sign-up.test.ts'],
  ['docs/playwright-and-other-runners.md 2', 'test/packages/runners.test.ts'],
]

/** The programs of a page, each as it is run: a wait of a minute takes half a second. */
export const programsOf = (path: string): Block[] => blocksOf(path, 'ts')
  .filter(({ name }) => !programsElsewhere.some(([block]) => block === name))
  .map(({ name, code }) => ({ name, code: code.replaceAll('AbortSignal.timeout(60_000)', 'AbortSignal.timeout(500)') }))

/** The pages with programs in Python. */
export const pythonPages = [...pages, 'python/README.md']

/** The Python programs of a page, each as it is run: for this server, with the indent of a list removed. */
export const pythonProgramsOf = (path: string, { url, key }: Pick<Places, 'url' | 'key'> = { url: '', key: '' }): Block[] =>
  blocksOf(path, 'python').map(({ name, code }) => {
    const indent = /^ */.exec(code)![0]
    return { name, code: code.replaceAll(new RegExp(`^${indent}`, 'gm'), '').replaceAll('http://localhost:3000', url).replaceAll('svc_test_…', key) }
  })

/** The tests that the lists of commands and programs name. */
export const testsElsewhere = [...pagesElsewhere, ...runElsewhere, ...programsElsewhere].map(([, test]) => test)
