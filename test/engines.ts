/**
 * Files that run on one engine of the database alone. All others run on SQLite in `npm test` or `npm run test:long`, and on PostgreSQL in
 * `npm run test:postgres`; the short ones of the store run on both in `npm test`, those of several nodes on PostgreSQL alone.
 */

/** Files about PostgreSQL. */
export const ofPostgres = [
  'test/{cells,nodes}/*.test.ts',
  'test/store/{account-move,await-postgres,notices,postgres,silent-connections}.test.ts',
]

/**
 * Files that need a database file: its commands, locks, log, size, pages, plans and metrics. They start a PostgreSQL server where they need
 * one too.
 */
const ofFile = [
  'test/cli/*.test.ts',
  'test/crash/{account-deletion,backup,stop}.test.ts',
  'test/docs/*.test.ts',
  'test/examples/*.test.ts',
  'test/packages/monitoring.test.ts',
  'test/store/{administration,job,list}-plans.test.ts',
  'test/store/{database,file-size,file-space,full-disk,log-mark,replace-database,write-ahead-log}.test.ts',
  'test/store/{migrations,move-rows,released,try-migrations}.test.ts',
  'test/worker/node-of-file.test.ts',
  'test/tail.test.ts',
]

/** Files that open no database of a server in their process: the engine cannot change their outcome. */
const withoutDatabase = [
  'test/{clients,fuzz,lint,mime,outbound,packages,python}/**/*.test.ts',
  'test/contract/{breaking,curl-samples,document,mock-*,request-bounds,stock-prism,types,webhook-forms}.test.ts',
  'test/sdk/{answers-of-calls,dates,doc-examples,errors,exported-types,facade,files,hostile-server,lazy-parts,lists,options}.test.ts',
  'test/sdk/{retries,robustness,sdk-on-mock,size,tree-shaking,unknown-values,wait-for-asking,wait-for-faults,wait-for-order}.test.ts',
  'test/worker/load-gauge.test.ts',
  'test/*.test.ts',
]

/** Files that run in a browser. `test/sdk/sdk-on-server.test.ts` has the tests of the SDK for both engines. */
const ofBrowser = ['test/dashboard/*.test.ts', 'test/http/docs.test.ts', 'test/sdk/browser.test.ts']

export const onSqliteAlone = [...ofFile, ...withoutDatabase, ...ofBrowser]
