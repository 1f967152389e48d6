#!/usr/bin/env node
import { realpathSync } from 'node:fs'
import module from 'node:module'
import { findInstalledNode, isNewEnough, refuseNode, replaceProcess } from './installed-node.js'

const node = findInstalledNode()
if (node && realpathSync(node) !== realpathSync(process.execPath)) {
  replaceProcess(node, process.argv.slice(1))
} else if (!isNewEnough()) {
  refuseNode()
} else {
  module.enableCompileCache?.() // a second start takes less time
  await import('./main.ts')
}
