import { $, defineConfig, definePluginConfig } from '@hey-api/openapi-ts'
import type { DefinePlugin } from '@hey-api/openapi-ts'
import { readDocument } from './document.ts'
import { timesOf } from './times.ts'

type Plugin<Config extends { name: string }> = DefinePlugin<Config>['Types']

/** Has the generated functions import `sdk/core/client.ts`, in place of a generated client. */
const ownClient = definePluginConfig<Plugin<{ name: '../core/client.ts', bundle: boolean }>>({
  name: '../core/client.ts',
  tags: ['client'],
  config: { bundle: false },
  handler() {},
})

/** `times.gen.ts`: the names of the members that are times. The transformers plugin would write a function for each answer instead. */
const times = definePluginConfig<Plugin<{ name: 'times' }>>({
  name: 'times',
  config: {},
  handler({ plugin }) {
    const { times, maps } = timesOf(readDocument())
    for (const { name, doc, members } of [
      { name: 'times', doc: 'The members of answers and events that are times, wherever they stand.', members: times },
      { name: 'maps', doc: 'Those that hold members of any name.', members: maps },
    ]) plugin.node($.const(plugin.symbol(name)).export().doc(doc).assign($.array(...members)))
  },
})

/**
 * Generates the SDK's code from the document. Dates are `Date`; an `x-extensible-enum` also allows other strings, since a newer server may
 * send them. The types of the server derive from these, see `generate.ts`.
 */
export default defineConfig({
  input: './openapi/openapi.yaml',
  parser: { transforms: { readWrite: false } },
  output: { path: './sdk/generated', entryFile: false, module: { extension: '.ts' } },
  plugins: [
    ownClient(),
    {
      name: '@hey-api/typescript',
      $resolvers: {
        string({ $, schema }) {
          if (/^date(-time)?$/.test(schema.format ?? '')) return $.type('Date')
          // `& {}` keeps TypeScript from reducing the union to `string`, so editors still offer the values
          const values = schema['x-extensible-enum'] as string[] | undefined
          return values && $.type.or(...values.map((value) => $.type.literal(value)), $.type.and($.type('string'), $.type.object()))
        },
      },
    },
    times(),
    { name: '@hey-api/sdk', operations: 'flat', paramsStructure: 'grouped', client: false, auth: false },
  ],
})
