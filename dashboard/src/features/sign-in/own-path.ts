/**
 * The page to show after signing in. Browsers read `//host`, `/\host` and such paths with a tab as another host (open redirect), so the
 * parser of URLs decides. Its result is parsed again: that of `/.//host` is `//host`.
 * @returns path, search and fragment of a page of this origin, other than the one for signing in; undefined for anything else
 */
export function ownPath(to: unknown, { origin } = location): string | undefined {
  if (typeof to !== 'string' || !to.startsWith('/')) return undefined
  if (!URL.canParse(to, origin)) return undefined
  const url = new URL(to, origin)
  if (url.origin !== origin || url.pathname.startsWith('//') || url.pathname === '/sign-in') return undefined
  return url.pathname + url.search + url.hash
}
