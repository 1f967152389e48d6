/**
 * `npm run bench -- NAME [ARGUMENT]…`: runs one benchmark, which measures a baseline in the same run. Its file describes its arguments.
 */
const benchmarks = {
  'account-deletion': () => import('./account-deletion.ts'),
  'account-move': () => import('./account-move.ts'),
  'audit': () => import('./audit.ts'),
  'backup': () => import('./backup.ts'),
  'body-parser': () => import('./body-parser.ts'),
  'cells': () => import('./cells.ts'),
  'codes': () => import('./codes.ts'),
  'dashboard': () => import('./dashboard.ts'),
  'first-mail': () => import('./first-mail.ts'),
  'http': () => import('./http.ts'),
  'keyed': () => import('./keyed.ts'),
  'log': () => import('./log.ts'),
  'mail-cost': () => import('./mail-cost.ts'),
  'mailbox': () => import('./mailbox.ts'),
  'mime': () => import('./mime.ts'),
  'nodes': () => import('./nodes.ts'),
  'openapi': () => import('./openapi.ts'),
  'peers': () => import('./peers.ts'),
  'postgres': () => import('./postgres.ts'),
  'postgres-long': () => import('./postgres-long.ts'),
  'purge': () => import('./purge.ts'),
  'recipients': () => import('./recipients.ts'),
  'sdk': () => import('./sdk/main.ts'),
  'simulate': () => import('./simulate.ts'),
  'server': () => import('./server.ts'),
  'smtp-stream': () => import('./smtp-stream.ts'),
  'start': () => import('./start.ts'),
  'storage': () => import('./storage.ts'),
}

const [name = ''] = process.argv.splice(2, 1)
if (name in benchmarks) await benchmarks[name as keyof typeof benchmarks]()
else {
  console.error(`npm run bench -- NAME, where NAME is one of ${Object.keys(benchmarks).join(', ')}.`)
  process.exitCode = 2
}
