import { Command } from 'commander'
import { restore } from '../../server/store/copies.ts'
import { withExamples, withJson } from '../client/options.ts'
import { withProgress } from '../client/progress.ts'
import { line, print } from '../output.ts'
import { onlyFile } from '../with-database.ts'

const wayOut = 'Restore one of a PostgreSQL server by pg_restore. "mayfly move" copies a file to it.'

interface Options {
  force?: boolean
  withoutLog?: boolean
  json?: boolean
}

export function restoreCommand(): Command {
  return withJson(withExamples(new Command('restore').argument('<file>', 'a file of "mayfly backup", which stays as it is'), [
    'mayfly restore mayfly-backup.db          to MAYFLY_DATABASE, where there is none',
    'mayfly restore mayfly-backup.db --force   keeps the old database under another name',
  ]))
    .option('--force', 'move an existing database aside')
    .option('--without-log', 'accept a copy of a database without its log, whose newest data are lost')
    .action(async (file: string, options: Options) => {
      const database = onlyFile(wayOut)
      const stamp = new Date().toISOString().replaceAll(/[-:.]/g, '')
      const { force = false, withoutLog = false } = options
      const replaced = await withProgress('copying', (onProgress) => restore(file, database, { force, withoutLog, stamp, onProgress }))
      print(options, { database, from: file, replaced }, () =>
        line`restored ${database} from ${file}${replaced === null ? '' : `; the old database is kept as ${replaced}`}`)
    })
}
