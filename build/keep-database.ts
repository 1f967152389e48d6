import { readManifest } from './manifest.ts'
import { root } from './paths.ts'
import { keepReleasedDatabase } from './released-database.ts'

/** `npm run release:database`: keeps a database of the version in package.json. `npm run release:version` does so too. */
await keepReleasedDatabase(readManifest(root).version)
