import { Command } from 'commander'
import { readConfig } from '../../server/config/config.ts'
import { lowerPriority } from '../../server/intake/worker-threads.ts'
import { backUp } from '../../server/store/copies.ts'
import { onInterrupt } from '../client/interrupt.ts'
import { withExamples, withJson } from '../client/options.ts'
import { withProgress } from '../client/progress.ts'
import { line, print } from '../output.ts'
import { existingFile, onlyFile } from '../with-database.ts'

/** The server gets nearly all of a busy CPU. */
const niceness = 15

const wayOut = 'Copy one of a PostgreSQL server by pg_dump --format=custom, or by its own back-ups; docs/postgres.md describes them.'

export function backupCommand(): Command {
  return withJson(withExamples(new Command('backup').argument('<file>', 'the file to write'), [
    'mayfly backup mayfly-backup.db                  also while the server runs',
    'mayfly backup "backups/$(date +%F).db" --json    in a nightly script',
  ]))
    .option('--force', 'replace the file when it exists')
    .action(async (file: string, options: { force?: boolean, json?: boolean }) => {
      const database = existingFile(onlyFile(wayOut))
      lowerPriority(niceness)
      const startedAt = performance.now()
      const { minFreeBytes } = readConfig(process.env)
      const made = await withProgress('copying', (onProgress) =>
        backUp(database, file, { overwrite: options.force ?? false, minFreeBytes, signal: onInterrupt(), onProgress }))
      const result = { ...made, emails: made.rows['emails'] ?? 0, durationMs: Math.round(performance.now() - startedAt) }
      print(options, result, ({ file, bytes, emails, durationMs }) =>
        line`backup ${file}: ${bytes} bytes, ${emails} emails, checked, in ${(durationMs / 1000).toFixed(1)} s`)
    })
}
