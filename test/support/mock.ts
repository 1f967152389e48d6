import { createLogger } from '@stoplight/prism-core'
import { getHttpOperationsFromSpec } from '@stoplight/prism-http'
import { createServer } from '@stoplight/prism-http-server'
import { readDocument } from '../../openapi/document.ts'

export interface Mock extends AsyncDisposable {
  url: string
}

/** Serves the examples of the document on a free port of 127.0.0.1. Requests are checked against it. */
export async function openMock(): Promise<Mock> {
  // a copy: Prism resolves the references in place
  const operations = await getHttpOperationsFromSpec(structuredClone(readDocument()))
  const server = createServer(operations, {
    cors: false,
    components: { logger: createLogger('mock', { level: 'silent' }) },
    config: {
      isProxy: false,
      mock: { dynamic: false },
      checkSecurity: true,
      validateRequest: true,
      validateResponse: true,
      errors: false, // of answers, where it takes an example of 0 for none; those of requests are answered anyway
      upstreamProxy: undefined,
    },
  })
  const url = await server.listen(0, '127.0.0.1')
  return { url, [Symbol.asyncDispose]: () => server.close() }
}
