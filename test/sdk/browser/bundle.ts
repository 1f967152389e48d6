import { build } from 'esbuild'
import type { Plugin } from 'esbuild'
import { fileURLToPath } from 'node:url'
import { operationsOf, readDocument } from '../../../openapi/document.ts'

/** Bundles the tests that run in a page, with the SDK, into one script. */
export async function bundlePage(): Promise<string> {
  const { outputFiles: [file] } = await build({
    entryPoints: [fileURLToPath(new URL('./page.ts', import.meta.url))],
    bundle: true, write: false, format: 'iife', platform: 'browser', target: 'chrome140', sourcemap: 'inline', plugins: [document],
  })
  return file!.text
}

/** A page cannot read files, so the data that the suite takes from the document is inlined. */
const document: Plugin = {
  name: 'document',
  setup({ onLoad }) {
    onLoad({ filter: /openapi[/\\]document\.ts$/ }, () => {
      const operations = operationsOf(readDocument()).filter(({ operationId }) => operationId === 'emails.raw')
      return { loader: 'js', contents: `export const readDocument = () => {}; export const operationsOf = () => ${JSON.stringify(operations)}` }
    })
  },
}
