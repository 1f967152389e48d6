import { expect } from 'chai'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))
const generated = globSync(['sdk/generated/*.ts', 'server/contract/*.ts'], { cwd: root })

describe('Generated types', () => {
  it('are declared once: the server imports those that the SDK has', () => {
    const withMembers = generated.filter((file) => /^export type \w+ = \{$/m.test(readFileSync(`${root}/${file}`, 'utf8')))
    expect(withMembers).to.deep.equal(['sdk/generated/types.gen.ts'])
  })

  it('of the server have times as strings, like JSON', () => {
    const text = readFileSync(`${root}/server/contract/types.gen.ts`, 'utf8')
    const shared = text.split('\n').filter((line) => line.startsWith('export type'))
    expect(shared.length).to.be.above(30)
    for (const line of shared) expect(line).to.match(/^export type (\w+) = Json<(?:sdk|dashboard)\.\1>$/)
  })
})
