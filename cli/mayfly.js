#!/usr/bin/env node
import { realpathSync } from 'node:fs'
import module from 'node:module'
import { endWithParent, isAwaitedByNpm } from './end-with-parent.js'
import { findInstalledNode, forgetOmission, isNewEnough, refuseNode, replaceProcess } from './installed-node.js'
import { missingMemorySettings } from './server-memory.js'

const node = findInstalledNode()
if (node) forgetOmission()
const args = process.argv.slice(1)
const { flags, env } = missingMemorySettings(args.slice(1))
if (node && realpathSync(node) !== realpathSync(process.execPath)) {
  replaceProcess(node, [...flags, ...args], env)
} else if (!isNewEnough()) {
  refuseNode()
} else if (flags.length > 0 && process.platform !== 'win32') { // Windows has no execve, so it would cost a second process
  replaceProcess(process.execPath, [...process.execArgv, ...flags, ...args], env)
} else {
  if (isAwaitedByNpm()) endWithParent(process.ppid)
  const cache = module.enableCompileCache?.() // a second start takes less time
  if (cache?.directory && args[1] !== 'run') process.env.NODE_COMPILE_CACHE = cache.directory // for the threads
  await import('./main.ts')
}
