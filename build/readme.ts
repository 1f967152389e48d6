import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Copies the README, without pictures and links of files that the package does not have. */
export function copyReadme(source: string, folder: string) {
  const text = readFileSync(join(source, 'README.md'), 'utf8')
    .replace(/<picture>[^]*?<\/picture>\n\n/g, '').replace(/(^!\[[^\]]*\]\([^)]*\)\n\n)|(!\[[^\]]*\]\([^)]*\) ?)/gm, '').replaceAll(/\n{3,}/g, '\n\n')
  writeFileSync(join(folder, 'README.md'), text.replace(/\[([^\]]+)\]\(([^)#:]+)\)/g, (link, label: string, path: string) =>
    existsSync(join(folder, path)) ? link : label))
}
