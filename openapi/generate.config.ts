import { $, defineConfig, definePluginConfig } from '@hey-api/openapi-ts'
import type { DefinePlugin } from '@hey-api/openapi-ts'
import { readDocument } from './document.ts'
import { timesOf } from './times.ts'

type Plugin<Config extends { name: string }> = DefinePlugin<Config>['Types']

/** What the generated functions are written for, by its path from them: no runtime is generated. */
const ownClient = definePluginConfig<Plugin<{ name: '../client.ts', bundle: boolean }>>({
  name: '../client.ts',
  tags: ['client'],
  config: { bundle: false },
  handler() {},
})

/** `times.gen.ts`: the names of the members that are times. A function for each answer would say the same at many times the length. */
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
 * Makes the SDK's code of the document: dates are `Date`, and where a list of values may grow (`x-extensible-enum`) a server may know more
 * of them than the SDK does. The types of the server are made of these, see `generate.ts`.
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
