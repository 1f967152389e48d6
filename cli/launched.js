/** Loaded by the second process of cli/installed-node.js: it ends with the first one, also when that is killed. */
import { isMainThread } from 'node:worker_threads'
import { endWithParent } from './end-with-parent.js'

const { LAUNCHER_PID: launcher } = process.env
if (isMainThread && launcher) {
  delete process.env.LAUNCHER_PID // its own children have another parent
  endWithParent(Number(launcher))
}
