import { expect } from 'chai'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../..', import.meta.url)).replaceAll('\\', '/')
const index = `${root}sdk/index.ts`

describe('SDK: types', function () {

  it('that public signatures mention are exported from the package', () => {
    const { config } = ts.readConfigFile(`${root}tsconfig.json`, ts.sys.readFile)
    const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
    const program = ts.createProgram([index], options)
    const checker = program.getTypeChecker()
    const exported = checker.getExportsOfModule(checker.getSymbolAtLocation(program.getSourceFile(index)!)!)
      .map((symbol) => symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol)
    const missing = new Map<string, string>()
    const visited = new Set<ts.Type>()
    for (const symbol of exported) {
      const isValue = (symbol.flags & ts.SymbolFlags.Value) !== 0
      const isType = (symbol.flags & ts.SymbolFlags.Type) !== 0
      if (isType) visit(checker.getDeclaredTypeOfSymbol(symbol), symbol.name)
      if (isValue && !isType) visit(checker.getTypeOfSymbol(symbol), symbol.name)
    }
    expect(visited.size, 'types that were visited').to.be.above(300)
    expect([...missing].map(([name, path]) => `${name}, of ${path}`)).to.deep.equal([])

    /** Whether a symbol is declared in the SDK, with a name of its own. */
    function isOwn(symbol: ts.Symbol | undefined): boolean {
      const named = ts.SymbolFlags.Class | ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias | ts.SymbolFlags.Enum
      return symbol !== undefined && (symbol.flags & named) !== 0
        && (symbol.declarations ?? []).some((declaration) => declaration.getSourceFile().fileName.startsWith(`${root}sdk/`))
    }

    function visit(type: ts.Type, path: string): void {
      if (visited.has(type)) return
      visited.add(type)
      const name = [type.aliasSymbol, type.symbol].find(isOwn)
      if (name && !exported.includes(name) && !missing.has(name.name)) missing.set(name.name, path)
      for (const part of [...type.aliasTypeArguments ?? [], ...checker.getTypeArguments(type as ts.TypeReference)]) visit(part, path)
      if (type.isUnionOrIntersection() && (type.flags & ts.TypeFlags.Union || !type.aliasSymbol)) {
        for (const part of type.types) visit(part, path)
      }
      const isForeign = !isOwn(type.symbol) && !type.aliasSymbol && ((type.symbol as ts.Symbol | undefined)?.declarations ?? [])
        .some((declaration) => !declaration.getSourceFile().fileName.startsWith(`${root}sdk/`))
      if (isForeign || type.isUnion() || type.flags & (ts.TypeFlags.StringLike | ts.TypeFlags.NumberLike | ts.TypeFlags.BooleanLike)) return
      for (const property of checker.getPropertiesOfType(type)) {
        if (property.name.startsWith('#') || property.name.startsWith('__#')) continue
        visit(checker.getTypeOfSymbol(property), `${path}.${property.name}`)
      }
      for (const signature of checker.getSignaturesOfType(type, ts.SignatureKind.Call)) {
        visit(signature.getReturnType(), `${path}()`)
        for (const parameter of signature.getParameters()) visit(checker.getTypeOfSymbol(parameter), `${path}(${parameter.name})`)
      }
    }
  })
})
