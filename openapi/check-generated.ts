import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Fails when the generated code is not up to date with the document and the installed libraries, and updates it. */
const root = fileURLToPath(new URL('..', import.meta.url))

const before = generatedFiles()
execFileSync(process.execPath, [fileURLToPath(new URL('./generate.ts', import.meta.url))], { cwd: root, stdio: 'ignore' })
const after = generatedFiles()

const changed = [...new Set([...before.keys(), ...after.keys()])].filter((file) => before.get(file) !== after.get(file))
if (changed.length > 0) {
  console.error(`These files did not match their sources:\n${changed.map((file) => `  ${file}`).join('\n')}\nThey are written anew; commit them.`)
  process.exitCode = 1
}

function generatedFiles() {
  const files = globSync(['sdk/generated/**/*.ts', 'dashboard/src/api/generated/**/*.ts', 'python/src/mayfly/_generated/*.py', 'server/contract/*.gen.*', 'server/mime/checks/*.gen.ts', 'openapi/openapi.classic.yaml', 'mcp/*.gen.ts', 'skills/mayfly/SKILL.md'], { cwd: root })
  return new Map(files.map((file) => [file, readFileSync(`${root}/${file}`, 'utf8')]))
}
