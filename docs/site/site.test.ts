import assert from 'node:assert'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import MiniSearch from 'minisearch'
import { questions } from './questions.ts'
import { searchOptions } from './search.ts'

/** The site as `npm run build` has made it, for the path `/`. */
const dist = new URL('dist/', import.meta.url)
const read = (path: string) => readFileSync(new URL(path, dist), 'utf8')
const pages = globSync('**/*.html', { cwd: dist }).filter((path) => path !== '404.html').map((path) => `/${path.replaceAll('\\', '/')}`).sort()
const htmlOf = Object.fromEntries(pages.map((page) => [page, read(page.slice(1))]))

/** The links of a page within the site, each with the page and the id that it leads to. */
const linksOf = (page: string) => [...htmlOf[page]!.matchAll(/ href="([^"]*)"/g)].map(([, href]) => new URL(href!, `http://site${page}`))
  .filter(({ host }) => host === 'site')
  .map(({ pathname, hash }) => ({ path: pathname.replace(/\/$/, '/index.html'), id: decodeURIComponent(hash.slice(1)) }))

test('every page is in the sidebar of the first one', () => {
  assert.ok(pages.length > 60, `${pages.length} pages`)
  const linked = new Set(linksOf('/index.html').map(({ path }) => path))
  assert.deepStrictEqual(pages.filter((page) => !linked.has(page) && page !== '/index.html'), [])
})

test('every link leads to a page and a heading, or to a file', () => {
  const files = new Set(globSync('{files,pictures,assets}/**/*.*', { cwd: dist }).map((path) => `/${path.replaceAll('\\', '/')}`).concat('/vp-icons.css'))
  const dead = pages.flatMap((page) => linksOf(page)
    .filter(({ path, id }) => !(path in htmlOf ? !id || htmlOf[path]!.includes(` id="${id}"`) : files.has(path)))
    .map(({ path, id }) => `${page} → ${path}#${id}`))
  assert.deepStrictEqual(dead, [])
})

test('the site loads nothing from other hosts', () => {
  const loaded = pages.flatMap((page) => [...htmlOf[page]!.matchAll(/<(?:script|link|img|source)\b[^>]* (?:src|href|srcset)="(https?:[^"]*)"/g)].map(([, url]) => `${page}: ${url}`))
  assert.deepStrictEqual(loaded, [])
})

const [index] = globSync('assets/chunks/@localSearchIndexroot*.js', { cwd: dist })
const json = (await import(new URL(index!, dist).href) as { default: string }).default
const search = MiniSearch.loadJSON(json, { fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'], ...searchOptions.options })

for (const [question, page] of Object.entries(questions)) {
  test(`the search answers: ${question}`, () => {
    const found = search.search(question, searchOptions.searchOptions).slice(0, 3).map(({ id }) => String(id).split('#')[0])
    assert.ok(found.includes(page), found.join(', '))
  })
}

