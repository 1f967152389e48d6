/** Imports point down, or stay in their own folder. From the ground up, each floor with what it may know. */
const ground = [
  'activity', 'api-key-format', 'clock', 'config', 'contract', 'deadline', 'dialects', 'envelope', 'errors', 'expiring-map', 'ids',
  'line-endings', 'mailbox', 'metrics', 'network', 'program-file', 'self-signed', 'turns', 'version', 'webhook-secret',
]
const floors = {
  activity: ['clock', 'mailbox', 'metrics'],
  'api-key-format': [],
  clock: [],
  config: ['api-key-format', 'mailbox'],
  contract: ['program-file'],
  deadline: [],
  dialects: ['contract', 'ids'],
  envelope: [],
  errors: ['contract'],
  'expiring-map': [],
  ids: [],
  'line-endings': [],
  mailbox: [],
  metrics: [],
  network: [],
  'program-file': [],
  'self-signed': ['clock'],
  turns: [],
  version: ['program-file'],
  'webhook-secret': [],
  store: ground,
  outbound: ground,
  mime: ground,
  context: [...ground, 'store', 'mime', 'outbound'],
  tail: ['activity', 'clock', 'context'],
  domain: [...ground, 'store', 'mime', 'context'],
  http: [...ground, 'store', 'domain', 'context'],
  smtp: [...ground, 'store', 'domain', 'context'],
  intake: [...ground, 'store', 'mime', 'outbound', 'domain', 'context'],
  worker: [...ground, 'store', 'mime', 'outbound', 'domain', 'context'],
}
/** The types of the document stand once, in the SDK and the dashboard's client; the contract makes those of the server of them. */
const sdkTypes = '^(sdk|dashboard/src/api)/generated/types\\.gen\\.ts$'
/** One folder for each database engine. */
const engines = '^server/store/engines/'
/** Packages that connect to a database. */
const drivers = '(^|/)node_modules/(@types/)?(better-sqlite3|pg)/'
const place = (floor) => `^server/${floor}(/|\\.ts$)`

/**
 * Tests look from outside: of the server they import types, and these values. Their worlds and their doors to the database stand in
 * `test/support`.
 */
const outside = ['clock', 'config', 'errors', 'contract', 'http/limits', 'smtp/limits']
/** Tests of units: each folder imports the folder of the server that it mirrors, and what stands behind it here. */
const units = {
  'contract': ['outbound/webhook-signature', 'webhook-secret'], // compared with the SDK and the command line
  'dialects': ['dialects', 'ids'],
  'domain': ['domain'],
  'http/units': ['http', 'store/database'],
  'intake': ['intake'],
  'mime': ['mime', 'mailbox'],
  'outbound': ['outbound'],
  'sending': ['mime/read-message'], // reads what was composed
  'smtp/units': ['smtp', 'network'],
  'store': ['store'],
  'turns': ['turns'],
  'worker': ['worker', 'store', 'version'],
}
/** These import all of the server: the supports, and the measurements of its parsers. */
const inside = '^test/(support|fuzz)/'
/** Tests of a file at the foot of the server have its name. */
const ofFile = '^test/([^/]+)\\.test\\.ts$'
const unitFolders = Object.keys(units).map((folder) => `^test/${folder}/`)
const sqlPackages = '(^|/)node_modules/(@types/)?(better-sqlite3|pg|kysely)/'
const isValue = { dependencyTypesNot: ['type-only'] }

module.exports = {
  forbidden: [
    { name: 'no-cycles', severity: 'error', from: { pathNot: '/generated/' }, to: { circular: true } },
    ...Object.entries(floors).map(([floor, below]) => ({
      name: `floor-${floor}`,
      severity: 'error',
      from: { path: place(floor) },
      to: { path: '^(server|cli|sdk|examples)/', pathNot: [...[floor, ...below].map(place), ...(floor === 'contract' ? [sdkTypes] : [])] },
    })),
    { name: 'server-knows-no-caller', severity: 'error', from: { path: '^server/' }, to: { path: '^(cli|sdk|dashboard|examples|test)/', pathNot: sdkTypes } },
    { name: 'mcp-knows-the-sdk', severity: 'error', from: { path: '^mcp/' }, to: { path: '^(server|cli|sdk|dashboard|openapi|examples|test|bench|build)/', pathNot: '^sdk/index\\.ts$' } },
    { name: 'server-knows-mcp-in-one-file', severity: 'error', from: { path: '^server/', pathNot: '^server/http/pages/mcp\\.ts$' }, to: { path: '^mcp/' } },
    { name: 'contract-alone-knows-the-types-of-the-sdk', severity: 'error', from: { path: '^server/', pathNot: '^server/contract/' }, to: { path: sdkTypes } },
    {
      name: 'engines-alone-know-drivers',
      severity: 'error',
      from: { path: '^(server|cli|sdk|examples|openapi)/', pathNot: engines },
      to: { path: drivers },
    },
    // `move/move.ts` copies from one engine to another
    { name: 'engines-are-opened-in-four-files', severity: 'error', from: { pathNot: `${engines}|^server/store/(database|inspect|copies|move/move)\\.ts$` }, to: { path: engines } },
    { name: 'sdk-stands-alone', severity: 'error', from: { path: '^sdk/', pathNot: '^sdk/(playwright|vitest)\\.ts$' }, to: { pathNot: '^sdk/' } },
    { name: 'sdk-core-knows-no-resource', severity: 'error', from: { path: '^sdk/core/' }, to: { path: '^sdk/', pathNot: '^sdk/(core|generated)/' } },
    { name: 'sdk-knows-playwright-in-one-file', severity: 'error', from: { path: '^sdk/playwright\\.ts$' }, to: { pathNot: '^sdk/|^node_modules/@?playwright' } },
    { name: 'sdk-knows-vitest-in-one-file', severity: 'error', from: { path: '^sdk/vitest\\.ts$' }, to: { pathNot: '^sdk/|^node_modules/@?vitest' } },
    { name: 'sdk-does-not-need-a-runner', severity: 'error', from: { path: '^sdk/', pathNot: '^sdk/(playwright|vitest)\\.ts$' }, to: { path: '^sdk/(playwright|vitest|runner)\\.ts$' } },
    {
      name: 'dashboard-knows-the-sdk',
      severity: 'error',
      from: { path: '^dashboard/' },
      to: { path: '^(server|cli|sdk|openapi|examples|test|build)/', pathNot: '^(sdk/index|server/mime/checks/link-text)\\.ts$' },
    },
    { name: 'only-the-dashboard-knows-itself', severity: 'error', from: { pathNot: '^(test/)?dashboard/' }, to: { path: '^dashboard/', pathNot: sdkTypes } },
    { name: 'examples-know-the-sdk', severity: 'error', from: { path: '^examples/' }, to: { path: '^(server|cli|openapi|test)/' } },
    {
      name: 'client-commands-know-the-sdk',
      severity: 'error',
      from: { path: '^cli/(cli-error|main|output|client/|completion/|commands/(account-reports|login|address|inbox|email|forwarding|domain|webhook|mcp|completion)\\.)' },
      to: { path: '^(server|sdk|openapi|examples|test)/|^cli/(with-database|doctor/|mock/)', pathNot: '^(sdk/index|server/version)\\.ts$' },
    },
    ...Object.entries(units).map(([folder, places]) => ({
      name: `test-${folder.replace('/', '-')}`,
      severity: 'error',
      from: { path: `^test/${folder}/` },
      to: { ...isValue, path: '^server/', pathNot: [...outside, ...places].map(place) },
    })),
    { name: 'test-of-a-file', severity: 'error', from: { path: ofFile }, to: { ...isValue, path: '^server/', pathNot: '^server/$1\\.ts$' } },
    {
      name: 'tests-look-from-outside',
      severity: 'error',
      from: { path: '^test/', pathNot: [inside, ofFile, ...unitFolders] },
      to: { ...isValue, path: '^server/', pathNot: outside.map(place) },
    },
    { name: 'tests-use-doors-to-the-database', severity: 'error', from: { path: '^test/', pathNot: '^test/((support/)?store/|support/postgres.ts$)' }, to: { path: sqlPackages } },
    { name: 'nothing-unresolved', severity: 'error', from: { pathNot: '^examples/testcontainers/' }, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: 'openapi/generate.config.ts' },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'require', 'node', 'default', 'types'] },
  },
}
