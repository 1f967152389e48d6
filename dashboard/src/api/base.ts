/** The path of the base URL of the server, without a slash at the end: '' unless a proxy gives it one. The files are in its `assets`. */
export const basePath = new URL('..', import.meta.url).pathname.slice(0, -1)

/** The URL of the server, for clients of the API. */
export const baseUrl = location.origin + basePath
