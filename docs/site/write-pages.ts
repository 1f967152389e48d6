import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { posix } from 'node:path'
import { convertLinks } from './links.ts'
import { pathOf, readSource, root, sidebar, titleOf } from './pages.ts'
import { referencePages } from './reference.ts'

export interface SidebarGroup {
  text: string
  items: { text: string, link: string }[]
}

/**
 * Writes the pages of the site, which Git ignores: the documents of the checkout with the links of the site, the files that they link, and
 * the reference of the API.
 * @returns the sidebar, with every page
 */
export function writePages(folder: string): SidebarGroup[] {
  rmSync(folder, { recursive: true, force: true })
  const groups = Object.entries(sidebar).map(([text, sources]) => ({
    text,
    items: sources.map((source) => addPage(pathOf(source), convertLinks(source, readSource(source), addFile))),
  }))
  const api = { text: 'API', items: Object.entries(referencePages()).map(([name, page]) => addPage(`api/${name}.md`, page)) }
  return groups.flatMap((group) => group.text === 'Explanation' ? [api, group] : [group])

  function addPage(path: string, text: string) {
    mkdirSync(posix.dirname(`${folder}/${path}`), { recursive: true })
    writeFileSync(`${folder}/${path}`, text)
    return { text: titleOf(path, text), link: `/${path}` }
  }

  /** Pictures have their name, other files are shown as text. */
  function addFile(path: string): string {
    const name = /\.(png|svg|webp)$/.test(path) ? path.replace(/^docs\//, '') : `files/${path}.txt`
    mkdirSync(posix.dirname(`${folder}/public/${name}`), { recursive: true })
    copyFileSync(`${root}/${path}`, `${folder}/public/${name}`)
    return `/${name}`
  }
}
