/** The path and query of a request target, without the path of the base URL. */
export const targetOf = (target: string, basePath: string): string => withoutBasePath(originForm(target), basePath)

const withoutBasePath = (target: string, basePath: string) =>
  target.startsWith(basePath) && /^[/?]|^$/.test(target.slice(basePath.length)) ? target.slice(basePath.length).replace(/^(?!\/)/, '/') : target

/**
 * The path and query of a request target (RFC 9112, section 3.2), which may be an absolute URL.
 * @returns `*`, which names no resource, for a malformed target: Koa's parser would throw wherever the path is read
 */
function originForm(target: string): string {
  if (target.startsWith('/') || target === '*') return target
  if (!URL.canParse(target)) return '*'
  const { pathname, search } = new URL(target)
  return pathname.startsWith('/') ? pathname + search : '*'
}
