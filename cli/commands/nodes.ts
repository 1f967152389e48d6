import { Command } from 'commander'
import { listNodes } from '../../server/store/jobs/nodes.ts'
import { wideOption, withExamples, withJson } from '../client/options.ts'
import { line, printRows, say } from '../output.ts'
import { existingDatabase, withDatabase } from '../with-database.ts'

export function nodesCommand(): Command {
  return withJson(withExamples(new Command('nodes'), [
    'mayfly nodes',
    "mayfly nodes --json | jq -r '.[].label'",
  ]))
    .addOption(wideOption())
    .action(async (options: { json?: boolean }) => {
      const { nodes, isShared } = await withDatabase(async (db) => ({ nodes: await listNodes(db), isShared: db.engine.shared !== null }))
      if (!isShared && !options.json) {
        return say(line`One process serves the file ${await existingDatabase()}. Several can serve a PostgreSQL database: MAYFLY_DATABASE=postgres://…`)
      }
      printRows(options, nodes, ['ID', 'LABEL', 'VERSION', 'STARTED', 'LAST BEAT', 'JOBS'],
        (node) => [{ id: node.id }, node.label, node.version, new Date(node.startedAt), new Date(node.lastBeatAt), String(node.jobs)])
    })
}
