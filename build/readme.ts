import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The README without the links that lead to files which the package does not hold. */
export function copyReadme(source: string, folder: string) {
  const text = readFileSync(join(source, 'README.md'), 'utf8')
  writeFileSync(join(folder, 'README.md'), text.replace(/\[([^\]]+)\]\(([^)#:]+)\)/g, (link, label: string, path: string) =>
    existsSync(join(folder, path)) ? link : label))
}
