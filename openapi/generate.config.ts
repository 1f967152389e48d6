import { $, defineConfig, definePluginConfig } from '@hey-api/openapi-ts'
import type { DefinePlugin, UserConfig } from '@hey-api/openapi-ts'
import { documentFor } from './document.ts'
import { timesOf } from './times.ts'

type Plugin<Config extends { name: string }> = DefinePlugin<Config>['Types']

/** `times.gen.ts`: the names of the members that are times. The transformers plugin would write a function for each answer instead. */
const times = definePluginConfig<Plugin<{ name: 'times' }>>({
  name: 'times',
  config: {},
  handler({ plugin }) {
    const { times, maps } = timesOf(documentFor('api'))
    for (const { name, doc, members } of [
      { name: 'times', doc: 'The members of answers and events that are times, wherever they stand.', members: times },
      { name: 'maps', doc: 'Those that hold members of any name.', members: maps },
    ]) plugin.node($.const(plugin.symbol(name)).export().doc(doc).assign($.array(...members)))
  },
})

/** The types. @param dates whether dates are `Date`; else they are strings, as in JSON */
const types = (dates: boolean) => ({
  name: '@hey-api/typescript' as const,
  $resolvers: {
    string({ $, schema }: StringResolver) {
      if (dates && /^date(-time)?$/.test(schema.format ?? '')) return $.type('Date')
      // `& {}` keeps TypeScript from reducing the union to `string`, so editors still offer the values
      const values = schema['x-extensible-enum'] as string[] | undefined
      return values && $.type.or(...values.map((value) => $.type.literal(value)), $.type.and($.type('string'), $.type.object()))
    },
  },
})

type TypescriptPlugin = Extract<NonNullable<UserConfig['plugins']>[number], { name: '@hey-api/typescript' }>
type StringResolver = Parameters<NonNullable<NonNullable<TypescriptPlugin['$resolvers']>['string']>>[0]

/** Leaves out the `*Writable` twins of types. */
const parser = { transforms: { readWrite: false } }

/**
 * Generates the code of the SDK, and the client of the dashboard for the operations that the SDK does not have. An `x-extensible-enum` also
 * allows other strings, since a newer server may send them (docs/decisions/0005). The types of the server derive from these, see
 * `generate.ts`: docs/decisions/0006.
 */
export default defineConfig([{
  input: { ...documentFor('api') },
  parser,
  output: { path: './sdk/generated', entryFile: false, module: { extension: '.ts' } },
  plugins: [
    types(true),
    times(),
  ],
}, {
  input: { ...documentFor('dashboard') },
  parser,
  output: { path: './dashboard/src/api/generated', entryFile: false, module: { extension: '.ts' } },
  plugins: [{ name: '@hey-api/client-fetch', throwOnError: true }, types(false), { name: '@hey-api/sdk', operations: 'flat', paramsStructure: 'grouped', auth: false }],
}])
