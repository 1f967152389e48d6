import { pageRouter } from './page-router.ts'
import { sendAsset, toAsset } from './asset.ts'
import type { Asset } from './asset.ts'

/** Quotes text that YAML 1.1 would read as a time, number or boolean: many code generators use such a parser. */
const compat = 'yaml-1.1'

/** Serves the OpenAPI document, which `shown` returns, with the URL of this server. Each format is generated at its first request. */
export function serveDocument(shown: () => object) {
  const formats: Record<string, () => Promise<Asset>> = {
    '/openapi.json': once(async () => toAsset('application/json; charset=utf-8', JSON.stringify(shown()))),
    '/openapi.yaml': once(async () => toAsset('application/yaml', await toYaml(shown(), 3))),
  }
  return pageRouter().get(Object.keys(formats), async (ctx) => sendAsset(ctx, await formats[ctx.path]!(), 'no-cache')).routes()
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => made ??= make()
}

/**
 * Generates YAML in parts, with a turn of the event loop after each: the whole document takes hundreds of milliseconds.
 * @param levels depth of nested maps whose members are generated separately
 */
async function toYaml(value: object, levels: number): Promise<string> {
  const { stringify } = await import('yaml') // 72 modules, only for this path
  let text = ''
  for (const [name, member] of Object.entries(value) as [string, unknown][]) {
    const isMap = typeof member === 'object' && member !== null && !Array.isArray(member) && Object.keys(member).length > 0
    if (levels > 1 && isMap) {
      const key = stringify({ [name]: null }, { nullStr: '', compat }).trimEnd()
      text += `${key}\n${(await toYaml(member, levels - 1)).replaceAll(/^(?=.)/gm, '  ')}`
    } else {
      text += stringify({ [name]: member }, { aliasDuplicateObjects: false, compat })
      await new Promise(setImmediate)
    }
  }
  return text
}
