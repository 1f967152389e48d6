import { globSync, readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const resources = fileURLToPath(new URL('../sdk/resources', import.meta.url))

/**
 * The call of the SDK for each operation: the `@example` of the method that calls it.
 * @throws Error for an operation without such a method, or with several of which none has its name
 */
export function sdkSamples(operationIds: string[]): Record<string, string> {
  const known = new Set(operationIds)
  const methods = globSync('*.ts', { cwd: resources }).sort().flatMap((name) => methodsOf(resolve(resources, name), known))
  return Object.fromEntries(operationIds.map((operationId) => {
    const callers = methods.filter((method) => method.operationId === operationId)
    const found = callers.length > 1 ? callers.find(({ name }) => operationId.endsWith(`.${name}`)) : callers[0]
    if (!found) throw new Error(`${operationId}: ${callers.length} methods with an @example in sdk/resources call it, none of them by its name`)
    return [operationId, found.code]
  }))
}

interface Method { name: string, operationId: string, code: string }

/** The methods of a resource that have an example and call an operation. */
function methodsOf(path: string, known: Set<string>): Method[] {
  const methods: Method[] = []
  const file = parse(path)
  visit(file)
  return methods

  function visit(node: ts.Node): void {
    const code = ts.isMethodDeclaration(node) && exampleOf(node)
    if (!code) {
      ts.forEachChild(node, visit)
      return
    }
    const operationId = operationIn(node, known) ?? calledFunctions(file, node).map((called) => operationIn(called, known)).find(Boolean)
    if (operationId) methods.push({ name: node.name.getText(file), operationId, code })
  }
}

const parse = (path: string) => ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)

function exampleOf(node: ts.Node): string | undefined {
  const tag = ts.getJSDocTags(node).find(({ tagName }) => tagName.text === 'example')
  return tag?.getText().replace(/^@example\n/, '').replace(/^ *\* ?/gm, '').trimEnd()
}

/** The operation that a node names in its `call('emails.list', …)` or `open(…)`. */
function operationIn(node: ts.Node, known: Set<string>): string | undefined {
  const first = ts.isCallExpression(node) && /^(call|open)$/.test(node.expression.getText()) ? node.arguments[0] : undefined
  if (first && ts.isStringLiteral(first) && known.has(first.text)) return first.text
  return ts.forEachChild(node, (child) => operationIn(child, known))
}

/** The functions that a method calls by their name: those of its file, and of the files that it imports, by `import()` too. */
function calledFunctions(file: ts.SourceFile, method: ts.Node): ts.Node[] {
  const names = new Set<string>()
  const files = [file]
  const collect = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) names.add(node.expression.text)
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) files.push(imported(file, node.arguments[0]!))
    ts.forEachChild(node, collect)
  }
  collect(method)
  for (const statement of file.statements) {
    if (!ts.isImportDeclaration(statement)) continue
    if (importedNames(statement).some((name) => names.has(name))) files.push(imported(file, statement.moduleSpecifier))
  }
  const found: ts.Node[] = []
  const find = (node: ts.Node): void => {
    if ((ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node)) && names.has(node.name?.getText() ?? '')) found.push(node)
    ts.forEachChild(node, find)
  }
  files.forEach(find)
  return found
}

const imported = (file: ts.SourceFile, specifier: ts.Node) => parse(resolve(dirname(file.fileName), (specifier as ts.StringLiteral).text))

function importedNames({ importClause }: ts.ImportDeclaration): string[] {
  const bindings = importClause?.namedBindings
  return bindings && ts.isNamedImports(bindings) ? bindings.elements.map(({ name }) => name.text) : []
}
