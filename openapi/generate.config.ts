import { defineConfig } from '@hey-api/openapi-ts'

const input = './openapi/openapi.yaml'
const parser = { transforms: { readWrite: false } } as const

/** What the generated functions are written for, by its path from them: no runtime is generated. */
const ownClient = { name: '../client.ts', tags: ['client'], config: { bundle: false }, handler() {} } as unknown as '@hey-api/client-fetch'

/** Two outputs of the one document: the SDK (dates are `Date`) and the server's types (dates stay text). */
export default defineConfig([
  {
    input,
    parser,
    output: { path: './sdk/generated', entryFile: false, module: { extension: '.ts' } },
    plugins: [
      ownClient,
      '@hey-api/typescript',
      { name: '@hey-api/transformers', dates: true, bigInt: false },
      { name: '@hey-api/sdk', operations: 'flat', paramsStructure: 'grouped', client: false, auth: false },
    ],
  },
  {
    input,
    parser,
    output: { path: './server/contract', fileName: { suffix: '.gen' }, clean: false, entryFile: false, module: { extension: '.ts' } },
    plugins: [{ name: '@hey-api/typescript' }],
  },
])
