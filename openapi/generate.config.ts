import { defineConfig } from '@hey-api/openapi-ts'

const input = './openapi/openapi.yaml'
const parser = { transforms: { readWrite: false } } as const

/** Two outputs of the one document: the SDK (dates are `Date`) and the server's types (dates stay text). */
export default defineConfig([
  {
    input,
    parser,
    output: { path: './sdk/generated', module: { extension: '.ts' } },
    plugins: [
      { name: '@hey-api/client-fetch', throwOnError: true },
      '@hey-api/typescript',
      { name: '@hey-api/transformers', dates: true, bigInt: false },
      {
        name: '@hey-api/sdk',
        operations: { strategy: 'single', containerName: 'MayflyApi', nesting: 'operationId' },
        paramsStructure: 'grouped',
        transformer: true,
      },
    ],
  },
  {
    input,
    parser,
    output: { path: './server/contract', fileName: { suffix: '.gen' }, clean: false, entryFile: false, module: { extension: '.ts' } },
    plugins: [{ name: '@hey-api/typescript' }],
  },
])
