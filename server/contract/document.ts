import { readFileSync } from 'node:fs'
import type { OpenAPIV3_1 } from 'openapi-types'

/** The contract, as `npm run generate` made it from openapi.yaml. Shared, so it must not be changed. */
export const document = JSON.parse(readFileSync(new URL('./document.gen.json', import.meta.url), 'utf8')) as OpenAPIV3_1.Document
