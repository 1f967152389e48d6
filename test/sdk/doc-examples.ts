import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { pages } from '../docs/page.ts'

export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

export interface Example { name: string, code: string }

/** The examples in the comments and the README of the SDK. */
export const docExamples = (): Example[] => [...docComments(), ...readme('sdk/README.md')]

/** The examples in TypeScript in the pages of the checkout, which `test/docs/pages.test.ts` runs. */
export const pageExamples = (): Example[] => pages.flatMap((path) => readme(path))

function docComments(): Example[] {
  return globSync('sdk/**/*.ts', { cwd: root, exclude: ['sdk/generated/**'] }).flatMap((path) => {
    const text = readFileSync(`${root}/${path}`, 'utf8')
    return text.split(/^ *\* @example\n/m).slice(1).map((rest, i) => ({
      name: `${path} ${i + 1}`, code: rest.slice(0, rest.search(/^ *\*(\/| @)/m)).replace(/^ *\* ?/gm, ''),
    }))
  })
}

function readme(path: string): Example[] {
  const text = readFileSync(`${root}/${path}`, 'utf8')
  return [...text.matchAll(/^( *)```ts\n([^]*?)^ *```$/gm)].map((match, i) => ({ name: `${path} ${i + 1}`, code: match[2]! }))
}
