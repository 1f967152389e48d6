import { rmSync } from 'node:fs'
import { sdkFolder, serverFolder } from './paths.ts'
import { buildSdk } from './sdk.ts'
import { buildServer } from './server.ts'

/** Writes what is published: `dist/sdk`, and after it `dist/mayfly-mail`, which is compiled against its types. */
for (const [folder, build] of [[sdkFolder, buildSdk], [serverFolder, buildServer]] as const) {
  rmSync(folder, { recursive: true, force: true })
  await build(folder)
  console.log(folder)
}
