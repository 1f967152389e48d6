import { expect } from 'chai'
import { isCollection, isScalar, parse, parseDocument, visit } from 'yaml'
import type { Scalar } from 'yaml'
import { documentText, readDocument } from '../../openapi/document.ts'
import { openTestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'

/**
 * The syntax that YAML 1.1 readers, such as PyYAML and older versions of libyaml, refuse or read with another meaning: `?` and `:` in
 * an unquoted text within brackets or braces, an anchor that is defined twice, unquoted texts that they read as times or booleans.
 */
function faultsForOldReaders(text: string): string[] {
  const document = parseDocument(text)
  const faults = document.errors.map(({ message }) => message)
  const anchors = new Set<string>()
  visit(document, {
    Value(_key, node, path) {
      if (node.anchor && anchors.has(node.anchor)) faults.push(`the anchor ${node.anchor} is defined twice`)
      if (node.anchor) anchors.add(node.anchor)
      const isFlow = path.some((parent) => isCollection(parent) && parent.flow)
      if (isScalar(node) && node.type === 'PLAIN' && isFlow && /[?:]/.test(node.source ?? '')) faults.push(`quote: ${node.source}`)
    },
  })
  const before = scalarsOf(text, '1.1')
  for (const [i, { value, source }] of scalarsOf(text, '1.2').entries()) {
    if (before[i]!.value !== value) faults.push(`quote: ${source}`)
  }
  return faults
}

function scalarsOf(text: string, version: '1.1' | '1.2'): Scalar[] {
  const found: Scalar[] = []
  visit(parseDocument(text, { version }), { Scalar: (_key, node) => { found.push(node) } })
  return found
}

describe('OpenAPI document: readers in other languages', () => {
  it('read the file with the same meaning, also by YAML 1.1', () => {
    expect(faultsForOldReaders(documentText())).to.deep.equal([])
  })

  it('read the openapi.yaml that a server sends with the same meaning', async () => {
    await using app = await openTestApp()
    const { text } = await rawRequest(app.url, { path: '/openapi.yaml' })
    expect(faultsForOldReaders(text)).to.deep.equal([])
    expect(JSON.stringify(parse(text, { maxAliasCount: -1 }).components)).to.equal(JSON.stringify(readDocument().components))
  })

  for (const [text, fault] of [
    ['{ subject: Where is my order? }', 'quote: Where is my order?'],
    ['{ url: https://shop.example }', 'quote: https://shop.example'],
    ['a: &one 1\nb: &one 2', 'the anchor one is defined twice'],
    ['example: 2026-03-14T09:02:11.482Z', 'quote: 2026-03-14T09:02:11.482Z'],
    ['answer: no', 'quote: no'],
  ] as const) {
    it(`reports syntax with another meaning: ${text.replaceAll('\n', ', ')}`, () => {
      expect(faultsForOldReaders(text)).to.deep.equal([fault])
    })
  }
})
