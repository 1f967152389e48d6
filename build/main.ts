import { rmSync } from 'node:fs'
import { sdkFolder, serverFolder } from './paths.ts'
import { buildSdk } from './sdk.ts'
import { buildServer } from './server.ts'

/** Builds the two published packages: `dist/sdk`, then `dist/mayfly-mail`, which is compiled against the SDK's types. */
for (const [folder, build] of [[sdkFolder, buildSdk], [serverFolder, buildServer]] as const) {
  rmSync(folder, { recursive: true, force: true })
  await build(folder)
  console.log(folder)
}
