import { execFileSync } from 'node:child_process'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { readManifest, serverManifest, writeManifest } from './manifest.ts'
import { root, sdkSource } from './paths.ts'
import { copyReadme } from './readme.ts'

/** What is read beside the code that reads it, or shipped for whoever installs the package. */
const files = ['openapi/openapi.yaml', 'server/contract/document.gen.json', 'LICENSE', 'CHANGELOG.md']

/** Server and command line as JavaScript, since Node strips no types below `node_modules`. */
export function buildServer(folder: string) {
  execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', join(root, 'build/tsconfig.server.json')], {
    stdio: ['ignore', 2, 2],
  })
  for (const file of files) cpSync(join(root, file), join(folder, file))
  copyReadme(root, folder)
  writeManifest(folder, serverManifest(readManifest(root), readManifest(sdkSource)))
}
