import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import { configFrom } from '../../server/config/config.ts'

const page = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8')

describe('Documents: docs/settings.md', () => {
  const rows = [...page.matchAll(/^\| (`(?:MAYFLY|AWS)_[^|]*) \| ([^|]*?) ?\| (.+) \|$/gm)]
    .flatMap(([, names, defaults]) => [...names!.matchAll(/`((?:MAYFLY|AWS)_\w+)`/g)].map(([, name], i) => ({ name: name!, value: defaults!.split(', ')[i] })))
  const read = new Map<string, string>()
  configFrom({ values: {}, fileNames: [], label: String }, (name, fallback) => read.set(name, fallback))

  it('has each variable that the server reads, and no other, once', () => {
    expect(rows.map(({ name }) => name).sort()).to.deep.equal([...read.keys()].sort())
  })

  it('has their defaults', () => {
    const inWords = ['MAYFLY_BASE_URL', 'MAYFLY_MX_HOST', 'MAYFLY_PARSE_THREADS', 'MAYFLY_DNS_SERVERS']
    const shown = rows.filter(({ name }) => !inWords.includes(name))
    expect(shown.map(({ name, value = '' }) => [name, value])).to.deep.equal(shown.map(({ name }) => [name, read.get(name)]))
  })
})
