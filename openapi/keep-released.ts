import { readManifest } from '../build/manifest.ts'
import { root } from '../build/paths.ts'
import { keepReleased } from './released.ts'

/** `npm run node -- openapi/keep-released.ts`: keeps the document as that of the version in package.json, as `build/version.ts` does. */
keepReleased(readManifest(root).version)
