/**
 * Runs a script with the Node that the checkout has installed, started by any Node from version 20 on:
 * `node cli/launcher.js SCRIPT [ARGUMENT]...`. Every npm script but `npm start` goes through here. Packages that the script needs and `npm ci`
 * leaves out are installed before.
 */
import { installPackages, lacksPackages } from './development-packages.js'
import { findInstalledNode, forgetOmission, isNewEnough, refuseNode, replaceProcess } from './installed-node.js'

const args = process.argv.slice(2)
forgetOmission()
if (lacksPackages(args[0])) {
  await installPackages().catch(({ message }) => {
    process.stderr.write(`${message}\n`)
    process.exit(1)
  })
}
const node = findInstalledNode() ?? (isNewEnough() ? process.execPath : refuseNode())
replaceProcess(node, args)
