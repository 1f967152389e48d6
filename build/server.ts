import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { dashboardFolder } from './dashboard.ts'
import { readManifest, serverManifest, writeManifest } from './manifest.ts'
import { root, sdkSource } from './paths.ts'
import { copyReadme } from './readme.ts'

/** Files that the code reads, and documents of the package. Keys: the path in the package; values: the path in the checkout. */
const files = {
  'openapi/openapi.yaml': 'openapi/openapi.yaml',
  'openapi/openapi.classic.yaml': 'openapi/openapi.classic.yaml',
  'server/contract/document.gen.json': 'server/contract/document.gen.json',
  'server/contract/document.classic.gen.json': 'server/contract/document.classic.gen.json',
  'server/contract/samples.gen.json': 'server/contract/samples.gen.json',
  ...Object.fromEntries(['reference.js', 'reference.css'].map((name) => `server/http/pages/${name}`).map((path) => [path, path])),
  'skills/mayfly/SKILL.md': 'skills/mayfly/SKILL.md',
  LICENSE: 'LICENSE',
  'CHANGELOG.md': 'CHANGELOG.md',
}

/** Compiles server and command line to JavaScript, since Node strips no types below `node_modules`. */
export function buildServer(folder: string) {
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'build/tsconfig.server.json')], {
    stdio: ['ignore', 2, 2],
  })
  rmSync(join(folder, 'sdk'), { recursive: true }) // an empty module: the contract takes only types from there
  for (const [to, from] of Object.entries(files)) cpSync(join(root, from), join(folder, to))
  cpSync(dashboardFolder, join(folder, 'dashboard/dist'), { recursive: true })
  copyReadme(root, folder)
  writeManifest(folder, serverManifest(readManifest(root), readManifest(sdkSource)))
}
