import { expect } from 'chai'
import ts from 'typescript'
import { docExamples, pageExamples, root } from './doc-examples.ts'

/** The declarations that an example may use without an import. */
const given = `
import * as sdk from '@mayfly-mail/sdk'
import * as playwright from '@mayfly-mail/sdk/playwright'
const { Mayfly, webhooks, WebhookVerificationError } = sdk
const { test, expect } = playwright
`

const declared = `
declare const mayfly: import('@mayfly-mail/sdk').Mayfly
declare const secret: string, addressId: string
declare const app: any
declare function requestPasswordReset(): Promise<void>
declare function signUp(address: string): Promise<void>
`

describe('SDK: examples in comments and READMEs', function () {

  it('are compiled', () => {
    const examples = [...docExamples(), ...pageExamples()]
    expect(examples.length).to.be.above(45)
    const files = new Map(examples.map(({ name, code }) => {
      const imports = [...code.matchAll(/^import .*$/gm)].map(([line]) => line).join('\n')
      const rest = code.replace(/^import .*$|^export /gm, '')
      // in its own block, as examples declare the same names
      return [`${root}/${name.replaceAll(/\W/g, '-')}.ts`, `${imports || given}\n${declared}async function example() {\n${rest}\n}\nvoid example\n`]
    }))
    const { config } = ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile)
    const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root)
    const settings = { ...options, noUnusedLocals: false }
    const host = ts.createCompilerHost(settings)
    const { getSourceFile, fileExists, readFile } = host
    host.fileExists = (name) => files.has(name) || fileExists(name)
    host.readFile = (name) => files.get(name) ?? readFile(name)
    host.getSourceFile = (name, version, ...rest) =>
      files.has(name) ? ts.createSourceFile(name, files.get(name)!, version) : getSourceFile(name, version, ...rest)
    const program = ts.createProgram([...files.keys()], settings, host)
    for (const name of files.keys()) expect(program.getSourceFile(name), name).to.exist
    const faults = [...files.keys()].flatMap((name) => program.getSemanticDiagnostics(program.getSourceFile(name)))
      .map(({ file, start, messageText }) => `${file!.fileName.slice(root.length)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}\n`
        + file!.text.slice(start! - 40, start! + 60))
    expect(faults.join('\n')).to.equal('')
  })
})
