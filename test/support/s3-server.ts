import { once } from 'node:events'
import { createServer } from 'node:http'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as pause } from 'node:timers/promises'
import { AwsV4Signer } from 'aws4fetch'

/** The calls of S3 that the store of sources makes, in memory. It checks signatures with the library that makes them. */
export interface S3Server extends AsyncDisposable {
  /** Variables of a server that uses it. */
  variables: { MAYFLY_SOURCES: string, AWS_ACCESS_KEY_ID: string, AWS_SECRET_ACCESS_KEY: string }
  /** Its objects, by their names in the bucket. */
  objects: Map<string, Buffer>
  /** Methods and statuses of the calls that were answered, such as `PUT 200`. */
  answers: string[]
  /** Connections are closed at once. */
  isUnavailable: boolean
  /** Milliseconds before each answer. */
  delayMs: number
  /** The code of the error that all calls get; undefined for none. */
  errorCode: string | undefined
  /** Whether an object may not be removed. */
  isLocked(name: string): boolean
}

const account = { accessKeyId: 'AKIATEST', secretAccessKey: 'secret/of+test', region: 'test-1' }
const bucket = 'mail-sources'

export async function openS3Server(): Promise<S3Server> {
  const listener = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy()) // the client has closed the connection
  })
  await once(listener.listen(0, '127.0.0.1'), 'listening')
  const origin = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  let isUnavailable = false
  const server: S3Server = {
    variables: {
      MAYFLY_SOURCES: `s3://${bucket}/mayfly/test?endpoint=${origin}&region=${account.region}`,
      AWS_ACCESS_KEY_ID: account.accessKeyId,
      AWS_SECRET_ACCESS_KEY: account.secretAccessKey,
    },
    objects: new Map(),
    answers: [],
    get isUnavailable() {
      return isUnavailable
    },
    set isUnavailable(value) {
      isUnavailable = value
      if (isUnavailable) listener.closeAllConnections()
    },
    delayMs: 0,
    errorCode: undefined,
    isLocked: () => false,
    async [Symbol.asyncDispose]() {
      const closed = once(listener, 'close')
      listener.close()
      listener.closeAllConnections()
      await closed
    },
  }
  listener.on('connection', (socket) => { if (isUnavailable) socket.destroy() })

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const content = await buffer(request)
    await pause(server.delayMs)
    if (isUnavailable) return request.destroy()
    const { status, body = '', headers = {} } = await resultOf(request, content)
    server.answers.push(`${request.method} ${status}`)
    response.writeHead(status, headers).end(body)
  }

  async function resultOf(request: IncomingMessage, content: Buffer): Promise<Result> {
    const refusal = server.errorCode ?? await refusalOf(request, origin)
    if (refusal) return failed(403, refusal)
    const path = `/${bucket}/`
    if (!request.url!.startsWith(path)) return failed(404, 'NoSuchBucket')
    const name = request.url!.slice(path.length)
    const found = server.objects.get(name)
    switch (request.method) {
      case 'PUT':
        if (request.headers['content-length'] === undefined) return failed(411, 'MissingContentLength')
        server.objects.set(name, content)
        return { status: 200 }
      case 'GET': {
        if (!found) return failed(404, 'NoSuchKey')
        const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? []
        if (Number(from) >= found.length) return failed(416, 'InvalidRange')
        return from === undefined ? { status: 200, body: found } : { status: 206, body: found.subarray(Number(from), Number(to) + 1) }
      }
      case 'DELETE':
        if (server.isLocked(name)) return failed(403, 'AccessDenied')
        server.objects.delete(name)
        return { status: 204 }
      default:
        return failed(405, 'MethodNotAllowed')
    }
  }
  return server
}

interface Result {
  status: number
  body?: string | Buffer
  headers?: Record<string, string>
}

const failed = (status: number, code: string): Result => (
  { status, body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code></Error>`, headers: { 'content-type': 'application/xml' } })

/** Signature Version 4: a request that is signed again has to have the same signature. */
async function refusalOf({ method, url, headers }: IncomingMessage, origin: string): Promise<string | undefined> {
  const [datetime, hash] = [String(headers['x-amz-date']), String(headers['x-amz-content-sha256'])]
  if (!headers.authorization) return 'AccessDenied'
  const signed = await new AwsV4Signer({
    ...account, service: 's3', method: method!, url: `${origin}${url}`, datetime, headers: { 'x-amz-content-sha256': hash },
  }).sign()
  return signed.headers.get('authorization') === headers.authorization ? undefined : 'SignatureDoesNotMatch'
}
