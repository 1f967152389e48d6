import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { readFileSync } from 'node:fs'
import type { Plugin } from 'vite'

/** Replaced by the server in each answer: the nonce with which the Content Security Policy allows style elements. */
const nonce = '__CSP_NONCE__'

export default defineConfig({
  root: import.meta.dirname,
  base: './', // the server adds the path of its base URL
  plugins: [fetchBeforeImport(), react(), paintEarly(), compareStyles()],
  html: { cspNonce: nonce },
  build: {
    target: 'es2023',
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'], // they have light-dark(), which is not rewritten for them
    assetsInlineLimit: 0, // so that files are sent once, and not again with each version
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 600, // kB, before compression
    // modules that pages share stay in one file, which compresses better than a dozen of small ones
    rolldownOptions: {
      input: ['index.html', 'src/early.ts', 'src/german.ts'].map((file) => `${import.meta.dirname}/${file}`),
      preserveEntrySignatures: 'exports-only',
      output: { codeSplitting: { groups: [{ name: 'shell', test: /dashboard\/src\/main\.tsx$/ }] } },
    },
    license: { fileName: 'licences.md' },
  },
})

/** Has dynamic imports use `src/api/preload.ts`. */
function fetchBeforeImport(): Plugin {
  const helper = JSON.stringify(`${import.meta.dirname}/src/api/preload.ts`)
  return {
    name: 'fetch-before-import',
    enforce: 'pre',
    load: { filter: { id: /vite\/preload-helper\.js$/ }, handler: () => `export { preload as __vitePreload } from ${helper}` },
  }
}

/**
 * Has the page run `src/early.ts` before it is painted, and paint its frame before its styles have loaded: a style sheet in the body holds
 * up what follows it alone. It stands before the root, since Mantine puts the variables of the theme there.
 */
function paintEarly(): Plugin {
  return {
    name: 'paint-early',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const [early, german] = ['early', 'german'].map((name) => Object.values(bundle!).find((file) => file.type === 'chunk' && file.name === name)!.fileName)
        const styles = html.match(/ *<link rel="stylesheet".*\n/g)!
        return styles.reduce((page, style) => page.replace(style, ''), html)
          .replace('</style>\n', (end) => `${end}    <script src="./${early}" data-german="./${german}" nonce="${nonce}"></script>\n`)
          .replace('    <div id="root">', (root) => styles.join('') + root)
      },
    },
  }
}

/** Compares the styles of `src/mantine.css` with the components in use. */
function compareStyles(): Plugin {
  return {
    name: 'compare-styles',
    generateBundle(_, bundle) {
      const modules = Object.values(bundle).flatMap((file) => file.type === 'chunk' ? file.moduleIds : [])
      const used = modules.flatMap((id) => /@mantine\/core\/esm\/.*\/(\w+)\.module\.mjs$/.exec(id)?.[1] ?? [])
      const imported = [...readFileSync(`${import.meta.dirname}/src/mantine.css`, 'utf8').matchAll(/core\/styles\/([A-Z]\w*)\.css/g)].map(([, name]) => name!)
      const missing = used.filter((name) => !imported.includes(name))
      const unused = imported.filter((name) => !used.includes(name))
      if (missing.length + unused.length > 0) this.error(`src/mantine.css lacks the styles of: ${missing.join()}; it has those of components that are not used: ${unused.join()}`)
    },
  }
}
