import { globSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import ts from 'typescript'
import { root } from '../../build/paths.ts'

const maxLines = 60

/** As a class, it is 100 bytes larger than test/sdk/size.test.ts allows: names of members are minified less than those of variables. */
const exceptions = ['sdk/wait-for/wait-for.ts']

/** The variables of a pattern or the left side of an assignment; those of `a.b = 1` and `a[b] = 1` are not assigned. */
function namesIn(node: ts.Node): string[] {
  if (ts.isIdentifier(node)) return [node.text]
  return ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node) ? [] : childrenOf(node).flatMap(namesIn)
}

function childrenOf(node: ts.Node): ts.Node[] {
  const children: ts.Node[] = []
  ts.forEachChild(node, (child) => { children.push(child) })
  return children
}

/** The nodes of a function that stand in no inner function, and the inner functions. */
const ownNodes = (node: ts.Node): ts.Node[] =>
  childrenOf(node).flatMap((child) => ts.isFunctionLike(child) ? [child] : [child, ...ownNodes(child)])

const declaredIn = (nodes: ts.Node[], isCounted: (node: ts.VariableDeclaration | ts.ParameterDeclaration) => boolean): string[] =>
  nodes.filter((node) => ts.isVariableDeclaration(node) || ts.isParameter(node)).filter(isCounted).flatMap(({ name }) => namesIn(name))

const isLet = ({ parent }: ts.Node) => ts.isVariableDeclarationList(parent) && (parent.flags & ts.NodeFlags.Let) !== 0

function assignedIn(node: ts.Node): string[] {
  if (ts.isBinaryExpression(node)) {
    const { kind } = node.operatorToken
    return kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment ? namesIn(node.left) : []
  }
  if (!ts.isPrefixUnaryExpression(node) && !ts.isPostfixUnaryExpression(node)) return []
  return [ts.SyntaxKind.PlusPlusToken, ts.SyntaxKind.MinusMinusToken].includes(node.operator) ? namesIn(node.operand) : []
}

/** The variables of the functions around it that an inner function assigns. */
function assignedOutside(inner: ts.Node): string[] {
  const nodes = ownNodes(inner)
  const own = declaredIn(nodes, () => true)
  return nodes.flatMap((node) => ts.isFunctionLike(node) ? assignedOutside(node) : assignedIn(node)).filter((name) => !own.includes(name))
}

/** The long functions of a source whose inner functions share state in variables. */
function nameless(path: string, source: string): string[] {
  const file = ts.createSourceFile(path, source, ts.ScriptTarget.Latest, true)
  const lineOf = (position: number) => file.getLineAndCharacterOfPosition(position).line + 1
  const found: string[] = []
  const visit = (node: ts.Node) => {
    ts.forEachChild(node, visit)
    if (!ts.isFunctionLike(node) || lineOf(node.end) - lineOf(node.getStart()) < maxLines) return
    const nodes = ownNodes(node)
    const assigned = new Set(nodes.filter(ts.isFunctionLike).flatMap(assignedOutside))
    const names = declaredIn(nodes, isLet).filter((name) => assigned.has(name))
    if (names.length > 0) found.push(`${path}:${lineOf(node.getStart())} ${names.join(' ')}`)
  }
  visit(file)
  return found
}

const long = (body: string) => `function open() {\n${body}\n${'\n'.repeat(maxLines)}}`

describe(`Named state: functions with more than ${maxLines} lines`, () => {
  it('share state of inner functions in a class or a typed object, not in variables', () => {
    const paths = globSync('{server,sdk,dashboard/src}/**/*.{ts,tsx}', { cwd: root }).filter((path) => !/\.gen\.|\/generated\//.test(path))
    expect(paths.length).to.be.greaterThan(300)
    const found = paths.flatMap((path) => nameless(path, readFileSync(`${root}${path}`, 'utf8')))
    expect(found.filter((place) => !exceptions.includes(place.split(':')[0]!))).to.deep.equal([])
    expect(found).to.have.length(exceptions.length)
  })

  for (const body of [
    'let n = 0; const add = () => { n++ }', 'let n = 0; function add() { n += 1 }', 'let n; return { set(m) { n ??= m } }',
    'let n; return { close: () => { run(() => { n = 1 }) } }', 'let n; return { swap() { [n] = [1] } }', 'let n; const add = (m) => n = m',
  ]) it(`are reported for ${body}`, () => { expect(nameless('a.ts', long(body))).to.deep.equal(['a.ts:1 n']) })

  for (const body of [
    'let n = 0; n++', 'let n = 0; const read = () => n', 'let n = 0; const add = () => { let n = 0; n++ }', 'let n = 0; const add = (n) => { n++ }',
    'let n = {}; const add = () => { n.count = 1 }', 'const add = () => { let n = 0; n++ }',
  ]) it(`are not reported for ${body}`, () => { expect(nameless('a.ts', long(body))).to.deep.equal([]) })
})
