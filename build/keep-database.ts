import { readManifest } from './manifest.ts'
import { root } from './paths.ts'
import { keepReleasedDatabase } from './released-database.ts'

/** `npm run node -- build/keep-database.ts`: keeps a database of the version in package.json, as `build/version.ts` does. */
await keepReleasedDatabase(readManifest(root).version)
