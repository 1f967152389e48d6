import type { OpenAPIV3_1 } from 'openapi-types'
import { readProgramFile } from '../program-file.ts'

/** The contract, as `npm run generate` made it from openapi.yaml. Shared, so it must not be changed. */
export const document = JSON.parse(readProgramFile(new URL('./document.gen.json', import.meta.url))) as OpenAPIV3_1.Document
