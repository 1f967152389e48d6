import { expect } from 'chai'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What an example may use without saying where it comes from. */
const given = `
import * as sdk from '@mayfly-mail/sdk'
import * as playwright from '@mayfly-mail/sdk/playwright'
const { Mayfly, webhooks, WebhookVerificationError } = sdk
const { test, expect } = playwright
declare const mayfly: sdk.Mayfly
declare const secret: string, addressId: string
declare const app: any
declare function requestPasswordReset(): Promise<void>
`

interface Example { name: string, code: string }

function docComments(): Example[] {
  return globSync('sdk/**/*.ts', { cwd: root, exclude: ['sdk/generated/**'] }).flatMap((path) => {
    const text = readFileSync(`${root}/${path}`, 'utf8')
    return [...text.matchAll(/^ *\/\*\*\n(?:^ *\*.*\n)*?^ *\* @example\n((?:^ *\*(?! @|\/).*\n)+)/gm)].map((match, i) => ({
      name: `${path} ${i + 1}`, code: match[1]!.replace(/^ *\* ?/gm, ''),
    }))
  })
}

function readme(): Example[] {
  const text = readFileSync(`${root}/sdk/README.md`, 'utf8')
  return [...text.matchAll(/^( *)```ts\n([^]*?)^ *```$/gm)].map((match, i) => ({ name: `sdk/README.md ${i + 1}`, code: match[2]! }))
}

describe('the examples in the comments and the README of the SDK', function () {
  this.timeout(60_000)

  it('are compiled', () => {
    const examples = [...docComments(), ...readme()]
    expect(examples.length).to.be.above(50)
    const files = new Map(examples.map(({ name, code }) => {
      const imports = [...code.matchAll(/^import .*$/gm)].map(([line]) => line).join('\n')
      const rest = code.replace(/^import .*$/gm, '')
      // in a block of its own, where an example may have a name for itself that others have too
      return [`${root}/${name.replaceAll(/\W/g, '-')}.ts`, `${imports}${imports ? '\n' : given}async function example() {\n${rest}\n}\nvoid example\n`]
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
    const faults = [...files.keys()].flatMap((name) => program.getSemanticDiagnostics(program.getSourceFile(name)))
      .map(({ file, start, messageText }) => `${file!.fileName.slice(root.length)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}\n`
        + file!.text.slice(start! - 40, start! + 60))
    expect(faults.join('\n')).to.equal('')
  })
})
