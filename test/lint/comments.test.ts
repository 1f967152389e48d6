import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const root = fileURLToPath(new URL('../..', import.meta.url))
const find = (pattern: string) => globSync(pattern, { cwd: root })

describe('Comments', () => {
  it('name files that exist', () => {
    const sources = find('{server,sdk,cli,bench,build,lint,openapi,test,dashboard/src}/**/*.{ts,tsx,js}').filter((path) => !/gen\.|generated|dist/.test(path))
    const all = find('{server,sdk,cli,bench,build,lint,openapi,test,dashboard/src}/**/*.{ts,tsx}')
    const names = new Set(all.map((path) => basename(path)))
    const isKnown = (name: string) => name.includes('/') ? all.some((path) => `/${path}`.endsWith(`/${name}`)) : names.has(name) || existsSync(root + name)
    const unknown = sources.flatMap((path) => {
      const comments = readFileSync(root + path, 'utf8').match(/\/\*[^]*?\*\/|(?<![:'"`\\])\/\/[^\n]*/g) ?? []
      return comments.flatMap((comment) => [...comment.matchAll(/`((?:[\w-]+\/)*[\w-]+\.tsx?)`|(?<=see |of |by |in |\()((?:[\w-]+\/)+[\w-]+\.tsx?)\b/g)]
        .map(([, quoted, plain]) => quoted ?? plain!).filter((name) => !isKnown(name)).map((name) => `${path}: ${name}`))
    })
    expect(unknown).to.deep.equal([])
  })
})
