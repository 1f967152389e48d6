import { createRequire } from 'node:module'

/**
 * Packages that openapi-backend loads at once, and needs only to read documents from files, to validate documents, to invent answers and
 * to parse queries. The server does none of it, so each of them is loaded when a member of it is first used.
 */
const unused = ['@apidevtools/json-schema-ref-parser', 'openapi-schema-validator', 'mock-json-schema', 'qs']

const require = createRequire(import.meta.resolve('openapi-backend'))

for (const name of unused) {
  const path = require.resolve(name)
  if (require.cache[path]) continue
  const exports = new Proxy({}, {
    get(_exports, member) {
      if (member === '__esModule') return name !== 'qs'
      if (require.cache[path]!.exports === exports) delete require.cache[path]
      return (require(path) as Record<PropertyKey, unknown>)[member]
    },
  })
  require.cache[path] = { exports, id: path, filename: path, loaded: true } as NodeJS.Module
}
