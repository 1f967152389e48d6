/**
 * Runs a script with the Node that the checkout has installed, started by any Node from version 20 on:
 * `node cli/launcher.js SCRIPT [ARGUMENT]...`. Every npm script goes through here.
 */
import { findInstalledNode, isNewEnough, refuseNode, replaceProcess } from './installed-node.js'

const node = findInstalledNode() ?? (isNewEnough() ? process.execPath : refuseNode())
replaceProcess(node, process.argv.slice(2))
