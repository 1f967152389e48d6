import type { IPrismDiagnostic } from '@stoplight/prism-core'
import type { IHttpRequest, IHttpResponse } from '@stoplight/prism-http'
import type { OpenAPIV3_1 } from 'openapi-types'
import type { ExampleAnswer } from './preference.ts'

export interface MockReply {
  reply: IHttpResponse
  /** Violations of the document by the request. */
  faults: IPrismDiagnostic[]
}

/** Answers a request with an example of the document. */
export type AskPrism = (request: IHttpRequest, wanted: Partial<ExampleAnswer>) => Promise<MockReply>

/** The major and minor version. */
const minNode = [24, 18] as const
const packages = ['@stoplight/prism-core', '@stoplight/prism-http']

/** Prism over a document. @throws Error with the way out when this Node is too old for it, or it is not installed */
export async function loadPrism(document: OpenAPIV3_1.Document): Promise<AskPrism> {
  checkNode(process.versions.node)
  const { createLogger, createInstance, getHttpOperationsFromSpec } = await importPrism()
  const operations = await getHttpOperationsFromSpec(document)
  const config = {
    isProxy: false as const,
    checkSecurity: true,
    validateRequest: true,
    validateResponse: false, // Prism takes a header whose example is 0 for a missing header
    errors: false,
    upstreamProxy: undefined,
    mock: { dynamic: false },
  }
  const prism = createInstance(config, { logger: createLogger('mock', { level: 'silent' }) })
  return async (request, { status, example }) => {
    const outcome = await prism.request(request, operations, { ...config, mock: { dynamic: false, code: status, exampleKey: example } })()
    if (outcome._tag === 'Left') throw outcome.left
    return { reply: outcome.right.output, faults: outcome.right.validations.input }
  }
}

/** @param version as in process.versions.node */
export function checkNode(version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major > minNode[0] || (major === minNode[0] && minor >= minNode[1])) return
  throw new Error(`the mock needs Node ${minNode.join('.')} or newer, because Prism does; this is v${version}. ` +
    'All other commands run on this one.')
}

/** Imported on demand: the packages are optional. */
async function importPrism() {
  try {
    const [core, http] = await Promise.all([import('@stoplight/prism-core'), import('@stoplight/prism-http')])
    return { ...core, ...http }
  } catch (error) {
    throw toMissing(error)
  }
}

/** Turns an error about a missing package into an error with the `npm install` command for all of them; returns other errors unchanged. */
export function toMissing(error: unknown): unknown {
  const { code, message } = error as NodeJS.ErrnoException
  const isMissing = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(code ?? '') && packages.some((name) => message.includes(name))
  return isMissing ? new Error(`the mock needs packages that are not installed: npm install ${packages.join(' ')}`) : error
}
