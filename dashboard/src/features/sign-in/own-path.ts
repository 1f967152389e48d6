/**
 * The page to show after signing in. Browsers read `//host`, `/\host` and such paths with a tab as another host (open redirect), so the
 * parser of URLs decides.
 * @returns path, search and fragment of a page of this origin, other than the one for signing in; undefined for anything else
 */
export function ownPath(to: unknown): string | undefined {
  if (typeof to !== 'string' || !to.startsWith('/')) return undefined
  if (!URL.canParse(to, location.origin)) return undefined
  const url = new URL(to, location.origin)
  if (url.origin !== location.origin || url.pathname === '/sign-in') return undefined
  return url.pathname + url.search + url.hash
}
