import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../build/paths.ts'
import { readBannedWords } from './banned-words.ts'
import { findBannedWords } from './words.ts'

/** `npm run check -- words [FOLDER…]`: prints the banned words of STYLE.md that the code has, and fails when there are any. */
const folders = process.argv.slice(2)
const checked = folders.length > 0 ? folders : ['server', 'sdk', 'cli', 'examples', 'openapi', 'build', 'bench', 'lint', 'test', 'dashboard/src', 'python/src']
const paths = globSync(checked.map((path) => /\.(tsx?|js|py)$/.test(path) ? path : `${path}/**/*.{ts,tsx,js,py}`), {
  cwd: root, exclude: ['**/generated/**', '**/_generated/**', '**/*.gen.*', '**/node_modules/**'],
}).sort()

const words = readBannedWords()
for (const path of paths) {
  for (const { line, text, banned } of findBannedWords(path, readFileSync(join(root, path), 'utf8'), words)) {
    console.error(`${path}:${line}  "${banned.word}" in: ${text}\n    Write instead: ${banned.instead}`)
    process.exitCode = 1
  }
}
