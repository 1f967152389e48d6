import { defineConfig } from '@hey-api/openapi-ts'
import type { Plugins } from '@hey-api/openapi-ts'

const input = './openapi/openapi.yaml'
const parser = { transforms: { readWrite: false } } as const

/** What the generated functions are written for, by its path from them: no runtime is generated. */
const ownClient = { name: '../client.ts', tags: ['client'], config: { bundle: false }, handler() {} } as unknown as '@hey-api/client-fetch'

/**
 * The type of a string with `x-extensible-enum`: one of its values or, where `allowsOthers`, any other text too. `& {}` keeps
 * TypeScript from reducing the union to `string`, so editors still offer the values.
 */
const extensibleEnums = ({ allowsOthers }: { allowsOthers: boolean }): Plugins.HeyApiTypeScript.Resolvers => ({
  string({ $, schema }) {
    const values = schema['x-extensible-enum'] as string[] | undefined
    if (!values) return undefined
    const others = allowsOthers ? [$.type.and($.type('string'), $.type.object())] : []
    return $.type.or(...values.map((value) => $.type.literal(value)), ...others)
  },
})

/**
 * Two outputs of the one document: the SDK (dates are `Date`, and a server may know more values than the SDK does) and the server's
 * types (dates stay text).
 */
export default defineConfig([
  {
    input,
    parser,
    output: { path: './sdk/generated', entryFile: false, module: { extension: '.ts' } },
    plugins: [
      ownClient,
      { name: '@hey-api/typescript', $resolvers: extensibleEnums({ allowsOthers: true }) },
      { name: '@hey-api/transformers', dates: true, bigInt: false },
      { name: '@hey-api/sdk', operations: 'flat', paramsStructure: 'grouped', client: false, auth: false },
    ],
  },
  {
    input,
    parser,
    output: { path: './server/contract', fileName: { suffix: '.gen' }, clean: false, entryFile: false, module: { extension: '.ts' } },
    plugins: [{ name: '@hey-api/typescript', $resolvers: extensibleEnums({ allowsOthers: false }) }],
  },
])
