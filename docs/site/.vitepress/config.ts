import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { slugOf } from '../links.ts'
import { searchOptions } from '../search.ts'
import { writePages } from '../write-pages.ts'

const folded = ['API', 'Explanation', 'Project']

export default defineConfig({
  title: 'Mayfly',
  description: 'A temporary-email service that a team can run itself: real SMTP in, a typed SDK out.',
  base: process.env['DOCS_BASE'] ?? '/',
  srcDir: 'pages',
  outDir: 'dist',
  ignoreDeadLinks: 'localhostLinks',
  markdown: { anchor: { slugify: slugOf } },
  themeConfig: {
    sidebar: writePages(fileURLToPath(new URL('../pages', import.meta.url))).map((group) => ({ ...group, collapsed: folded.includes(group.text) })),
    search: { provider: 'local', options: { miniSearch: searchOptions } },
    outline: [2, 3],
  },
})
