import { existsSync, globSync } from 'node:fs'
import { expect } from 'chai'
import { convertLinks, slugOf } from '../../docs/site/links.ts'
import { pathOf, root, sidebar } from '../../docs/site/pages.ts'
import { referencePages } from '../../docs/site/reference.ts'
import { documentFor, operationsOf } from '../../openapi/document.ts'

const sources = Object.values(sidebar).flat()

// the tests of the site that is built stand in docs/site, beside the packages that they need
describe('Docs site', () => {
  it('has each page of the checkout once, in its sidebar', () => {
    const documents = globSync('{*.md,docs/*.md,docs/decisions/*.md,{sdk,python,examples}/README.md}', { cwd: root })
    expect([...sources].sort()).to.deep.equal(documents.sort())
    expect(sources.filter((source) => !existsSync(`${root}/${source}`))).to.deep.equal([])
    expect(new Set(sources.map((source) => pathOf(source).toLowerCase()))).to.have.property('size', sources.length)
  })

  it('links pages by their place in the site, and other files as text', () => {
    const files: string[] = []
    const convert = (text: string) => convertLinks('docs/agents.md', text, (path) => {
      files.push(path)
      return `/${path}.txt`
    })
    expect(convert('[a](http.md#limits) [b](../README.md) [c](../sdk/README.md) [d](#e) [f](https://example.com)'))
      .to.equal('[a](/http.md#limits) [b](/index.md) [c](/sdk/index.md) [d](#e) [f](https://example.com)')
    expect(convert('[a](../packaging/compose.yaml)')).to.equal('[a](/packaging/compose.yaml.txt)')
    expect(files).to.deep.equal(['packaging/compose.yaml'])
    expect(convert('`[a](none.md)`\n```ts\n[b](none.md)\n```')).to.equal('`[a](none.md)`\n```ts\n[b](none.md)\n```')
    expect(() => convert('[a](none.md)')).to.throw('docs/agents.md links none.md, which does not exist')
  })

  it('has ids of headings as GitHub has them', () => {
    expect(slugOf('With a suite for Mailpit, MailHog or MailDev')).to.equal('with-a-suite-for-mailpit-mailhog-or-maildev')
    expect(slugOf('node:test and mocha')).to.equal('nodetest-and-mocha')
  })

  it('has a reference with every operation of the API, and none of the dashboard alone', () => {
    const text = Object.values(referencePages()).join('\n')
    const calls = [...text.matchAll(/^## .*\n\n`([A-Z]+ \/api\/v1\/\S+)`/gm)].map(([, call]) => call!)
    const expected = operationsOf(documentFor('api')).map(({ method, path }) => `${method.toUpperCase()} ${path}`)
    expect(calls.sort()).to.deep.equal(expected.sort())
  })
})
