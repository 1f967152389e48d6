import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const root = fileURLToPath(new URL('../..', import.meta.url))
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const exists = (path: string) => existsSync(join(root, path))
const find = (pattern: string) => globSync(pattern, { cwd: root })

const decisions = find('docs/decisions/[0-9]*.md').sort()
const documents = [
  'README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'STYLE.md', 'SECURITY.md', 'ROADMAP.md', 'CODE_OF_CONDUCT.md', ...find('docs/*.md'), 'docs/decisions/README.md', ...decisions,
  ...find('server/*/README.md'),
]

/** Texts that documents quote, by a pattern with one group, each with its document. */
const quotes = (pattern: RegExp) => documents.flatMap((document) =>
  [...read(document).replaceAll(/^```[^]*?^```$/gm, '').matchAll(pattern)].map(([, text]) => ({ document, text: text! })))

describe('Documents: ARCHITECTURE.md', () => {
  const text = read('ARCHITECTURE.md')

  it('has at most 200 lines, and lines of at most 140 characters', () => {
    const lines = text.trimEnd().split('\n')
    expect(lines.length).to.be.at.most(200)
    expect(lines.filter((line) => line.length > 140)).to.deep.equal([])
  })

  it('has diagrams of a request, a mail and a job', () => {
    const sections = text.split(/^## /m).filter((section) => section.includes('```mermaid')).map((section) => section.split('\n')[0])
    expect(sections).to.deep.equal(['A request', 'A mail', 'A job, such as a webhook delivery'])
  })

  it('has a tree of files and folders that exist', () => {
    const unknown = namesInTree(text).filter(({ folder, name }) =>
      ![join(folder, name), name].some(exists) && find(`${folder}/*/${name}`).length === 0)
    expect(unknown).to.deep.equal([])
  })

  it('has a tree with each folder of the server', () => {
    const named = new Set(namesInTree(text).map(({ folder }) => folder))
    const folders = readdirSync(join(root, 'server'), { withFileTypes: true }).filter((entry) => entry.isDirectory())
    expect(folders.map(({ name }) => `server/${name}`).filter((folder) => !named.has(folder))).to.deep.equal([])
  })

  it('leaves the files of each folder of the server to its README, of at most eight lines', () => {
    for (const { name } of readdirSync(join(root, 'server'), { withFileTypes: true }).filter((entry) => entry.isDirectory())) {
      const lines = read(`server/${name}/README.md`).trimEnd().split('\n')
      expect(lines[0]).to.match(new RegExp(`^# ${name}: `))
      expect(lines.length, name).to.be.at.most(8)
    }
  })
})

/** The files and folders that the tree names, each with the folder of its line. A line that begins with many blanks continues the last. */
function namesInTree(text: string): { folder: string, name: string }[] {
  const tree = /^## Layout\n+```\n([^]*?)^```$/m.exec(text)![1]!
  let folder = ''
  return tree.trimEnd().split('\n').flatMap((line) => {
    const [, indent = '', begin = ''] = /^( {0,2})(\S+)/.exec(line) ?? []
    if (begin) folder = join(indent ? 'server' : '.', begin.endsWith('/') ? begin.slice(0, -1) : '.')
    const description = line.slice(indent.length + (begin.endsWith('/') ? begin.length : 0))
    const found = description.match(/(?<![\w*./-])(?:[\w-]+\/)*[\w-]+(?:\/(?!\w)|(?:\.[\w-]+)*\.(?:ts|js|yaml|md)\b)/g) ?? []
    return [{ folder, name: '.' }, ...found.map((name) => ({ folder, name }))]
  })
}

describe('Documents: README.md', () => {
  it('has at most 120 lines', () => {
    expect(read('README.md').trimEnd().split('\n').length).to.be.at.most(120)
  })

  it('links every page for users', () => {
    const unlinked = find('docs/*.md').filter((path) => !read('README.md').includes(`](${path})`))
    expect(unlinked).to.deep.equal([])
  })
})

describe('Documents: docs/postgres.md', () => {
  it('names the connections of a node, of all threads that have a database', () => {
    const pool = read('server/store/engines/postgres/pool.ts')
    const value = (name: string) => Number(new RegExp(`\\b${name}( =|:) (\\d+)`).exec(pool)![2])
    const opened = read('server/intake/intake.ts').match(/\bopen\('[a-z]+-thread'/g)!
    expect(value('threads')).to.equal(opened.length)
    const max = value('ofMain') + value('ownConnections') + value('threads') * (value('ofThread') + 1)
    expect(read('docs/postgres.md')).to.include(`up to ${max} connections`).and.include(`at least ${max} times the nodes`)
  })
})

describe('Documents: comments that compare time limits', () => {
  it('a repeated change ends before its thread is replaced, and that before another node takes its mail over', () => {
    const value = (path: string, name: string) => Number(new RegExp(`\\b${name}( =|:) ([\\d_]+)`).exec(read(path))![2]!.replace('_', ''))
    const threadTimeoutMs = value('server/intake/intake.ts', 'timeoutMs')
    expect(value('server/store/changes/group-commit.ts', 'maxRepeatMs')).to.be.below(threadTimeoutMs)
    expect(value('server/store/search/search-index.ts', 'takeOverAfterMs')).to.be.above(threadTimeoutMs)
  })
})

describe('Documents: length', () => {
  it('README, pages and decisions have at most 25,000 words together', () => {
    const pages = ['README.md', ...find('docs/*.md'), ...find('docs/decisions/*.md')]
    const words = pages.map((path) => read(path).split(/\s+/).filter(Boolean).length)
    expect(words.reduce((sum, count) => sum + count, 0)).to.be.at.most(25_000)
  })
})

describe('Documents: decisions', () => {
  it('are at most 25', () => {
    expect(decisions.length).to.be.at.most(25)
  })

  it('are cited in the code that they bind', () => {
    const code = find('{server,sdk,cli,openapi,build,bench}/**/*.{ts,js}').concat(find('dashboard/src/**/*.{ts,tsx}'))
    const cited = code.flatMap((path) => [...read(path).matchAll(/docs\/decisions\/(\d{4})/g)].map(([, number]) => number!))
    expect([...new Set(cited)].sort()).to.deep.equal(decisions.map((path) => basename(path).slice(0, 4)))
  })

  it('are listed with their titles', () => {
    const list = read('docs/decisions/README.md')
    const lines = decisions.map((path) => /^# (\d+): (.*)$/m.exec(read(path))!).map(([, number, title], i) =>
      `- [${number}](${basename(decisions[i]!)}): ${title}`)
    expect(lines.filter((line) => !list.includes(`${line}\n`))).to.deep.equal([])
  })

  it('are numbered without a gap', () => {
    expect(decisions.map((path) => Number(basename(path).slice(0, 4)))).to.deep.equal(decisions.map((_, i) => i + 1))
  })

  it('have context, decision, figures and consequences, in 20 to 55 lines', () => {
    for (const path of decisions) {
      const lines = read(path).trimEnd().split('\n')
      expect(lines[0], path).to.match(new RegExp(`^# ${basename(path).slice(0, 4)}: `))
      expect(lines.length, path).to.be.within(20, 55)
      expect(lines.filter((line) => line.startsWith('## ')), path).to.include.ordered.members(
        ['## Context', '## Decision', '## Figures', '## Consequences'])
    }
  })
})

describe('Documents: references', () => {
  it('and messages do not say npx where there is no checkout: npm would run the package of a stranger', () => {
    const told = find('{server,mcp,sdk,python/src,dashboard/src,examples}/**/*.{ts,tsx,js,py,mjs,sh}').filter((path) => read(path).includes('npx mayfly'))
    expect(told).to.deep.equal([])
  })

  it('name files that exist', () => {
    const folder = '(?:server|sdk|cli|test|docs|examples|openapi|bench|build|lint)/'
    const paths = quotes(new RegExp(`\`(\\w[\\w./-]*\\.(?:ts|js|cjs|yaml|jsonc)|${folder}[\\w./-]*)\``, 'g'))
    const names = new Set(find('{server,sdk,cli,test}/**/*.{ts,js}').map((path) => basename(path)))
    const isKnown = (path: string) => exists(path) || exists(`server/${path}`) || names.has(path)
    expect(paths.length).to.be.greaterThan(200)
    expect(paths.filter(({ text }) => !isKnown(text))).to.deep.equal([])
  })

  it('link files that exist', () => {
    const links = quotes(/\]\(([^)#:]+)\)/g).filter(({ document, text }) => !exists(join(dirname(document), text)))
    expect(links).to.deep.equal([])
  })

  it('cite decisions that exist', () => {
    const numbers = quotes(/(?<![\w-])(00\d\d)(?![\w-])/g)
    expect(numbers.filter(({ text }) => !decisions.some((path) => basename(path).startsWith(text)))).to.deep.equal([])
  })

  it('name commands, tests and attacks that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
    const scenarios = find('test/attack/scenarios/*.ts').map(read).join('')
    const list = (pattern: RegExp) => quotes(pattern).flatMap(({ document, text }) =>
      text.trim().split(/\s+/).map((name) => ({ document, name })))
    expect(list(/npm run ([\w:-]+)/g).filter(({ name }) => !scripts[name])).to.deep.equal([])
    const benchmarks = new Set([...read('bench/main.ts').matchAll(/^ {2}'([\w-]+)': \(\) => import/gm)].map(([, name]) => name!))
    expect(list(/npm run bench -- ([a-z][\w-]*)/g).filter(({ name }) => !benchmarks.has(name))).to.deep.equal([])
    const checks = new Set([...read('lint/check.ts').matchAll(/^ {2}(\w+): \[\[/gm)].map(([, name]) => name!))
    expect(list(/npm run check --((?:\s+[a-z]+)+)`/g).filter(({ name }) => !checks.has(name))).to.deep.equal([])
    expect(list(/npm test --((?:\s+test\/[\w./*-]+)+)/g).filter(({ name }) => find(name).length === 0)).to.deep.equal([])
    expect(list(/npm run attack --((?:\s+[a-z][\w-]*)+)`/g).filter(({ name }) => !scenarios.includes(`name: '${name}'`))).to.deep.equal([])
  })
})
