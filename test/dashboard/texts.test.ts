import { expect } from 'chai'
import { globSync, readFileSync } from 'node:fs'
import type { Format } from '../../dashboard/src/language.ts'

/** Texts that are the same in both languages: names of products, and words that German has too. */
const sameInGerman = [
  'Live', 'Test', 'Mayfly', 'Mail', 'Mails', 'Domain', 'Domains', 'Webhooks', 'Form A', 'Form B', 'Form WORD7001', '7001 ms', '7001…', 'URL', 'Host',
  'Port', 'STARTTLS', 'Framework', 'ada@example.com', 'mail.example.com', 'Mayfly <test@example.com>', 'Text', 'Codes', 'Link', 'Links', 'Status',
  'Status: 7001.', 'HTML', 'JSON', 'Tablet', 'curl', 'TypeScript', 'Python', '100 %', 'Name', 'List-Unsubscribe', 'Server', 'Free', 'Pro', 'Business',
  'Alias', 'SMTP', 'Code',
]

const german: Format = {
  number: (value) => value.toLocaleString('de'),
  plural: (count, { one, other }) => count === 1 ? one : other,
}

/** A text, or a function that makes one, by its path such as `mailListTexts.actions.delete`. */
type Leaves = Map<string, string | ((...values: unknown[]) => string)>

function leavesOf(value: unknown, path: string, leaves: Leaves = new Map()): Leaves {
  if (typeof value === 'string' || typeof value === 'function') leaves.set(path, value as string)
  else for (const [name, member] of Object.entries(value as object)) leavesOf(member, path && `${path}.${name}` || name, leaves)
  return leaves
}

/** The text that a function makes of values of which each has a trace of its own: numbers where it takes them, else words. */
function fill(make: (...values: unknown[]) => string, first: number): string {
  const values = Array.from({ length: make.length }, (_, i) => first + i)
  try {
    return make(...values)
  } catch {
    return make(...values.map((value) => `word${value}`)) // such as one that it writes in small letters
  }
}

/** The values in a filled text, whatever the language writes between digits. */
const tracesIn = (text: string): string[] => (text.replaceAll(/(?<=\d)[.,](?=\d)/g, '').match(/700\d/g) ?? []).sort()

describe('Dashboard: texts', () => {
  const files = globSync('dashboard/src/**/*texts.ts')
  /** Names of texts by file. */
  const names = new Map<string, string[]>()
  const english: Leaves = new Map()
  let translated: Record<string, unknown>
  let other: Leaves

  before(async () => {
    const globals = { document: { documentElement: { lang: 'en' } }, window: {} } // of which the texts take the language
    Object.assign(globalThis, globals)
    try {
      for (const file of files) {
        const texts = Object.entries(await import(`../../${file}`) as object).filter(([, value]) => typeof value === 'object')
        names.set(file, texts.map(([name]) => name))
        for (const [name, value] of texts) leavesOf(value, name, english)
      }
    } finally {
      for (const name of Object.keys(globals)) delete (globalThis as Record<string, unknown>)[name]
    }
    translated = (await import('../../dashboard/src/german.ts')).german(german)
    other = leavesOf(translated, '')
  })

  it('are in files that have German ones beside them, which german.ts names', () => {
    for (const [file, constants] of names) {
      for (const name of constants) {
        expect(translated, `${file} has ${name}: add it to ${file.replace(/ts$/, 'de.ts')} and to dashboard/src/german.ts`).to.have.property(name)
        const isWrapped = new RegExp(`export const ${name} = translated(<.*>)?\\('${name}', \\{`).test(readFileSync(file, 'utf8'))
        expect(isWrapped, `${file}: write export const ${name} = translated('${name}', {…})`).to.equal(true)
      }
    }
    expect(english.size).to.be.above(500)
  })

  it('are all there in German', () => {
    expect([...english.keys()].filter((path) => !other.has(path)), 'missing in German').to.deep.equal([])
    expect([...other.keys()].filter((path) => !english.has(path)), 'not in English').to.deep.equal([])
  })

  it('are not English in German, unless they are on the list of those that are the same', () => {
    const same = new Set<string>()
    for (const [path, leaf] of english) {
      const [text, german] = [leaf, other.get(path)].map((each) => typeof each === 'function' ? fill(each, 7_001) : each)
      if (text === german && text) same.add(text)
    }
    expect([...same].filter((text) => !sameInGerman.includes(text))).to.deep.equal([])
    expect(sameInGerman.filter((text) => !same.has(text)), 'on the list without need').to.deep.equal([])
  })

  it('have the same values in German', () => {
    for (const [path, leaf] of english) {
      const german = other.get(path)
      expect(typeof german, path).to.equal(typeof leaf)
      if (typeof leaf === 'string' || typeof german !== 'function') continue
      expect(tracesIn(fill(german, 7_001)), path).to.deep.equal(tracesIn(fill(leaf, 7_001)))
      expect(fill(german, 1), path).to.not.match(/undefined|null|NaN/)
    }
  })
})
