import { globSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import ts from 'typescript'
import { root } from '../../build/paths.ts'

/** Uses in `server` of members that a library declares as private by a `_`. An upgrade of the library may change them. */
const maxUses = 20

/** The uses of such members in a file: in a property access, a declaration, a type or a pattern. */
function privateUses(file: string, code: string): string[] {
  const source = ts.createSourceFile(file, code, ts.ScriptTarget.Latest, true)
  const uses: string[] = []
  const visit = (node: ts.Node) => {
    const name = memberName(node)
    if (name?.startsWith('_')) uses.push(`${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1} ${name}`)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return uses
}

/** The name of the member that a node uses or declares. */
function memberName(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) return node.name.text
  if (ts.isElementAccessExpression(node)) return textOf(node.argumentExpression)
  if (ts.isIndexedAccessTypeNode(node) && ts.isLiteralTypeNode(node.indexType)) return textOf(node.indexType.literal)
  if (ts.isBindingElement(node)) return textOf(node.propertyName ?? (ts.isObjectBindingPattern(node.parent) ? node.name : undefined))
  return ts.isClassElement(node) || ts.isTypeElement(node) ? textOf(node.name) : undefined
}

const textOf = (node?: ts.Node) => node && (ts.isIdentifier(node) || ts.isStringLiteralLike(node)) ? node.text : undefined

describe('Libraries: their private members', () => {
  it('are found in each form of use', () => {
    const code = `
      class Session extends Library {
        declare _server: Server
        override _onClose() { super._onClose() }
        get socket() { return this['_socket'] }
      }
      const { _parser, _queue: queue } = connection as { _parser: unknown, _queue: unknown }
      type Callback = Parameters<Library['_handle']>[1]`
    expect(privateUses('a.ts', code).map((use) => use.split(' ')[1])).to.deep.equal(
      ['_server', '_onClose', '_onClose', '_socket', '_parser', '_queue', '_parser', '_queue', '_handle'])
    expect(privateUses('a.ts', 'const run = (_unused: string, [_first]: string[]) => dns(`${name}._domainkey`)')).to.deep.equal([])
  })

  it(`are used ${maxUses} times at most by the server`, () => {
    const files = globSync('server/**/*.ts', { cwd: root })
    const uses = files.flatMap((file) => privateUses(file, readFileSync(`${root}/${file}`, 'utf8')))
    expect(uses.length, uses.join('\n')).to.be.at.most(maxUses)
  })
})
