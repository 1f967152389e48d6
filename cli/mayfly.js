#!/usr/bin/env node
import module from 'node:module'

// The Node version is checked here, before anything native is imported: the database driver crashes an older one.
const [major, minor] = process.versions.node.split('.').map(Number)
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(`mayfly needs Node 22.19 or newer; this is ${process.version}. In the checkout, "npx mayfly" brings its own.\n`)
  process.exit(1)
}
module.enableCompileCache?.() // starts the second time in less
await import('./main.ts')
