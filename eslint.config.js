import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

const abortRule = {
  selector: "CallExpression[callee.property.name='addEventListener'][arguments.0.value='abort']",
  message: 'A signal that has aborted already fires no event: use onAbort of server/deadline.ts.',
}
const tenantRule = {
  selector: [
    "CallExpression[callee.property.name!='whereRef'][arguments.0.value=/(^|[.])(account_id|mode)$/][arguments.1.value=/^(=|==|in|is)$/]",
    'TemplateElement[value.raw=/\\b(account_id|mode)\\W+=/]',
    'Literal[value=/\\b(account_id|mode)\\W+=/]',
  ].join(', '),
  message: 'The filter by owner stands once: use ownedBy or ofAccount of server/store/owner.ts.',
}
const columnRule = {
  // three parameters of the API have such names
  selector: 'Identifier[name=/^(?!(address_id|is_deleted|envelope_from|thread_id)$)[a-z]+(_[a-z]+)+$/]',
  message: 'Names of columns stay in server/store: use camelCase.',
}
const dialects = {
  importNames: ['SqliteDialect', 'PostgresDialect'],
  message: 'The dialect of an engine is made in server/store/engines.',
}
const dialectRule = { paths: [{ name: 'kysely', ...dialects }] }
const sqlRule = {
  selector: [
    'CallExpression[callee.property.name=/^(selectFrom|insertInto|updateTable|deleteFrom)$/]',
    'CallExpression[callee.property.name=/^(prepare|exec|execute|pragma)$/][arguments.0.type=/^(Literal|TemplateLiteral)$/]',
    "TaggedTemplateExpression[tag.name='sql']",
  ].join(', '),
  message: 'SQL of tests stands in test/support/store: ask through the API, or use or add a function there.',
}
const secureContext = 'Browsers have this on HTTPS and localhost alone, and the dashboard is also used over plain HTTP: have another way.'
const secureProperties = [
  ...['randomUUID', 'subtle', 'clipboard', 'serviceWorker', 'mediaDevices', 'wakeLock', 'cookieStore', 'showSaveFilePicker'],
  ...['locks', 'share', 'storage', 'credentials', 'geolocation'].map((property) => ['navigator', property]),
].map((name) => ({ ...typeof name === 'string' ? { property: name } : { object: name[0], property: name[1] }, message: secureContext }))
const secureGlobals = ['Notification', 'PushManager', 'caches', 'cookieStore'].map((name) => ({ name, message: secureContext }))
const errorRule = {
  selector: "NewExpression[callee.name='AppError'][arguments.0.type='Literal']",
  message: 'Use the function of server/errors.ts that is named after the code.',
}

export default tseslint.config(
  { ignores: ['node_modules/', 'dist/', 'dashboard/dist*/', 'data/', '**/generated/', '**/*.gen.*', 'docs/site/{.vitepress,dist,pages}/', 'docs/site/*.test.ts'] },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      'max-len': ['error', { code: 140, ignoreStrings: true, ignoreTemplateLiterals: true, ignoreRegExpLiterals: true }],
      'max-lines': ['error', { max: 300, skipBlankLines: false }],
      semi: ['error', 'never'],
      quotes: ['error', 'single', { avoidEscape: true, allowTemplateLiterals: true }],
      'no-console': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/require-await': 'off', // a handler is async by its type
      '@typescript-eslint/no-unsafe-assignment': 'off', // JSON.parse and rows cross the border of what is typed
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/only-throw-error': 'off',
      '@typescript-eslint/unbound-method': 'off', // our objects hold functions, not methods
      '@typescript-eslint/prefer-promise-reject-errors': 'off',
    },
  },
  {
    files: ['dashboard/**/*.{ts,tsx}'],
    extends: [reactHooks.configs.flat['recommended-latest']],
  },
  {
    files: ['dashboard/**/*.{ts,tsx}', 'sdk/**/*.ts', 'server/http/pages/*.js'],
    ignores: ['sdk/webhooks/*'], // they need WebCrypto, and say so
    rules: {
      'no-restricted-properties': ['error', ...secureProperties],
      'no-restricted-globals': ['error', ...secureGlobals],
    },
  },
  {
    files: ['server/**/*.ts'],
    ignores: ['server/deadline.ts'],
    rules: {
      'no-restricted-syntax': ['error', abortRule, tenantRule, errorRule],
    },
  },
  {
    files: ['server/**/*.ts'],
    ignores: ['server/deadline.ts', 'server/store/**'],
    rules: { 'no-restricted-syntax': ['error', abortRule, tenantRule, columnRule, errorRule] },
  },
  {
    // the rule itself, and SQL that runs for all owners at once
    files: ['server/store/owner.ts', 'server/store/engines/**/*.ts', 'server/store/migrations/*.ts'],
    rules: { 'no-restricted-syntax': ['error', abortRule, errorRule] },
  },
  {
    files: ['server/**/*.ts', 'cli/**/*.ts'],
    ignores: ['server/store/engines/**'],
    rules: { 'no-restricted-imports': ['error', dialectRule] },
  },
  {
    files: ['cli/**/*.ts'],
    // a question ends without a line feed, so that its answer stands behind it
    ignores: ['cli/output.ts', 'cli/client/prompt.ts'],
    rules: {
      'no-restricted-syntax': ['error', {
        selector: "MemberExpression[object.property.name=/^std(out|err)$/][property.name='write']",
        message: 'Text of strangers may make a terminal do things: use print, say or printSource of cli/output.ts, which clean it.',
      }],
    },
  },
  {
    files: ['test/**/*.ts', 'bench/**/*.ts', 'examples/**/*.ts', 'openapi/**/*.ts', 'build/**/*.ts', 'lint/**/*.ts'],
    rules: {
      'no-console': 'off',
      'max-lines': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unused-expressions': 'off',
    },
  },
  {
    files: ['test/**/*.ts'],
    ignores: ['test/store/**', 'test/support/store/**'],
    rules: { 'no-restricted-syntax': ['error', sqlRule] },
  },
)
