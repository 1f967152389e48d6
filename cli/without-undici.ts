/**
 * Keeps Node's undici out of a server that does not use it: 40 ms and 13 MB. A module that imports `node:http` makes Node read all
 * enumerable members of it, and these three load undici. It is loaded with the first `fetch`, as before. Call this before such an import.
 */
export function withoutUndici(): void {
  const http = process.getBuiltinModule('node:http')
  for (const name of ['WebSocket', 'CloseEvent', 'MessageEvent']) {
    if (Object.hasOwn(http, name)) Object.defineProperty(http, name, { enumerable: false })
  }
}
