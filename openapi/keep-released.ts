import { readManifest } from '../build/manifest.ts'
import { root } from '../build/paths.ts'
import { keepReleased } from './released.ts'

/** `npm run release:contract`: keeps the document as that of the version in package.json. `npm run release:version` does so too. */
keepReleased(readManifest(root).version)
