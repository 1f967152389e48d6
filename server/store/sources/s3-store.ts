import { once } from 'node:events'
import * as http from 'node:http'
import * as https from 'node:https'
import { pipeline } from 'node:stream/promises'
import { buffer } from 'node:stream/consumers'
import { ConfigError } from '../../config/config-file.ts'
import type { SourcesBucket } from '../../config/sources-url.ts'
import type { NewObject, ObjectStore } from './object-store.ts'

/** Installed by those who need it. The executable has it. */
const signerPackage = 'aws4fetch@1.0.20'

/**
 * Connections of a thread to the store at once. An object that is written has a new one: its bytes cannot be sent again when the store has
 * closed an idle one.
 */
const maxConnections = 32

interface Call {
  method: 'PUT' | 'GET' | 'DELETE'
  name: string
  headers?: Record<string, string>
  pieces?: NewObject['pieces']
  signal: AbortSignal
}

interface Answer {
  status: number
  body: Buffer
}

/** Objects in a bucket, by the API of S3. @throws ConfigError that says how to install the library that signs, where it is missing */
export async function openS3Store({ url, ...account }: SourcesBucket): Promise<ObjectStore> {
  const { AwsV4Signer } = await loadSigner()
  const { Agent, request } = url.startsWith('https:') ? https : http
  const agent = new Agent({ keepAlive: true, maxSockets: maxConnections })

  async function call(options: Call): Promise<Answer> {
    const { method, name, headers = {}, pieces = [], signal } = options
    const signed = await new AwsV4Signer({ ...account, method, url: `${url}/${name}`, headers, service: 's3' }).sign()
    const sent = request(signed.url, { method, headers: Object.fromEntries(signed.headers), agent: method === 'PUT' ? false : agent, signal })
    const responded = once(sent, 'response') as Promise<[http.IncomingMessage]>
    const piped = pipeline(pieces, sent)
    try {
      const [answer] = await Promise.race([responded, piped.then(() => responded)]) // a refusal may come before all is sent
      const body = await buffer(answer)
      if (!sent.writableFinished) sent.destroy()
      return { status: answer.statusCode!, body }
    } catch (error) {
      // the store had closed the connection, which was idle
      if (sent.reusedSocket && (error as NodeJS.ErrnoException).code === 'ECONNRESET') return call(options)
      throw error
    }
  }

  return {
    async put(name, { bytes, pieces }, signal) {
      refuse(await call({ method: 'PUT', name, headers: { 'content-length': String(bytes) }, pieces, signal }), 200)
    },

    async read(name, { offset, length }, signal) {
      const answer = await call({ method: 'GET', name, headers: { range: `bytes=${offset}-${offset + length - 1}` }, signal })
      if (codeOf(answer) === 'NoSuchKey') return undefined
      refuse(answer, 206)
      return answer.body
    },

    async remove(name, signal) {
      refuse(await call({ method: 'DELETE', name, signal }), 200, 204)
    },

    close: async () => agent.destroy(),
  }
}

/** @throws Error for a status that is not expected, with the code of S3, such as `AccessDenied` */
function refuse(answer: Answer, ...expected: number[]): void {
  if (!expected.includes(answer.status)) throw new Error(`the store of MAYFLY_SOURCES answered ${answer.status} ${codeOf(answer)}`.trimEnd())
}

function codeOf({ status, body }: Answer): string {
  if (status < 300) return ''
  return /<Code>([\w.-]+)<\/Code>/.exec(body.subarray(0, maxErrorBytes).toString('latin1'))?.[1] ?? ''
}

/** Bytes of an answer in which its code is looked for. */
const maxErrorBytes = 4_096

async function loadSigner() {
  try {
    return await import('aws4fetch')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new ConfigError(`MAYFLY_SOURCES: needs a package that is not installed: npm install --no-save --save-prod ${signerPackage}`)
  }
}
