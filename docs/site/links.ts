import { existsSync, statSync } from 'node:fs'
import { posix } from 'node:path'
import { pathOf, root, sidebar } from './pages.ts'

const sources = new Set(Object.values(sidebar).flat())

/**
 * Converts the relative links of a source into links of the site. Code stays as it is.
 * @param path of the source, relative to the checkout
 * @param addFile takes a file that is no page, and returns its link
 * @throws Error when a linked file does not exist
 */
export function convertLinks(path: string, text: string, addFile: (path: string) => string): string {
  return text.replaceAll(/^( *```)[^]*?^\1$|`[^`\n]+`|(\]\(|(?:src|srcset|href)=")([^)"\s]+)(?=[)"])/gm, (match, _fence, before?: string, href?: string) =>
    before && href && !/^(#|\/|[a-z]+:)/.test(href) ? `${before}${convert(path, href, addFile)}` : match)
}

function convert(source: string, href: string, addFile: (path: string) => string): string {
  const [path, hash] = href.split('#')
  const target = posix.join(posix.dirname(source), path!).replace(/\/$/, '')
  const page = [target, `${target}/README.md`].find((candidate) => sources.has(candidate))
  if (page) return `/${pathOf(page)}${hash === undefined ? '' : `#${hash}`}`
  if (!existsSync(`${root}/${target}`)) throw new Error(`${source} links ${href}, which does not exist`)
  return statSync(`${root}/${target}`).isDirectory() ? `/${pathOf(`${posix.dirname(target)}/README.md`)}` : addFile(target)
}

/** The id of a heading, as GitHub makes it: links with a `#` are the same in the checkout. */
export const slugOf = (heading: string): string =>
  heading.trim().toLowerCase().replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, '').replaceAll(' ', '-')
