import type { OpenAPIV3_1 } from 'openapi-types'
import { readProgramFile } from '../program-file.ts'

/** The contract, as `npm run generate` made it from openapi.yaml. Shared, so it must not be changed. */
export const document = read(new URL('./document.gen.json', import.meta.url))

let classic: OpenAPIV3_1.Document | undefined

/** The contract in the classic dialect, read when it is needed first. Shared, so it must not be changed. */
export const classicDocument = (): OpenAPIV3_1.Document => classic ??= read(new URL('./document.classic.gen.json', import.meta.url))

function read(url: URL): OpenAPIV3_1.Document {
  return JSON.parse(readProgramFile(url)) as OpenAPIV3_1.Document
}
