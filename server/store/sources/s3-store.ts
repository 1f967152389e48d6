import { Readable } from 'node:stream'
import { Pool } from 'undici'
import type { Dispatcher } from 'undici'
import { ConfigError } from '../../config/config-file.ts'
import type { SourcesBucket } from '../../config/sources-url.ts'
import type { ObjectStore } from './object-store.ts'

/** Installed by those who need it. The executable has it. */
const signerPackage = 'aws4fetch@1.0.20'

/** Connections to the store at once; further calls wait for one. */
const maxConnections = 32
const connectMs = 5_000

interface Call {
  method: 'PUT' | 'GET' | 'DELETE'
  name: string
  headers?: Record<string, string>
  body?: Readable
  signal: AbortSignal
}

/** Objects in a bucket, by the API of S3. @throws ConfigError that says how to install the library that signs, where it is missing */
export async function openS3Store({ url, ...account }: SourcesBucket): Promise<ObjectStore> {
  const { AwsV4Signer } = await loadSigner()
  // each call has a limit of time of its own
  const pool = new Pool(new URL(url).origin, { connections: maxConnections, connect: { timeout: connectMs }, headersTimeout: 0, bodyTimeout: 0 })

  async function call({ method, name, headers = {}, body, signal }: Call) {
    const signed = await new AwsV4Signer({ ...account, method, url: `${url}/${name}`, headers, service: 's3' }).sign()
    return pool.request({
      method, path: signed.url.pathname, headers: Object.fromEntries(signed.headers), body: body ?? null, signal,
    })
  }

  /** Repeats a call over a connection that the store had closed, since it had been idle. */
  async function callAgain(options: Call) {
    try {
      return await call(options)
    } catch (error) {
      if (!staleCodes.includes((error as NodeJS.ErrnoException).code!)) throw error
      return call(options)
    }
  }

  return {
    async put(name, { bytes, pieces }, signal) {
      const body = Readable.from(pieces, { objectMode: false })
      const answer = await call({ method: 'PUT', name, headers: { 'content-length': String(bytes) }, body, signal })
      await expect(answer, 200)
    },

    async read(name, { offset, length }, signal) {
      const answer = await callAgain({ method: 'GET', name, headers: { range: `bytes=${offset}-${offset + length - 1}` }, signal })
      if (answer.statusCode === 206) return Buffer.from(await answer.body.arrayBuffer())
      const { code, error } = await readError(answer)
      if (code === 'NoSuchKey') return undefined
      throw error
    },

    async remove(name, signal) {
      await expect(await callAgain({ method: 'DELETE', name, signal }), 204, 200)
    },

    close: () => pool.destroy(),
  }
}

const staleCodes = ['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']

async function expect(answer: Dispatcher.ResponseData, ...statuses: number[]) {
  if (!statuses.includes(answer.statusCode)) throw (await readError(answer)).error
  await answer.body.dump()
}

/** @returns the code of S3, such as `AccessDenied`, and an error with it */
async function readError({ statusCode, body }: Dispatcher.ResponseData) {
  const text = (await body.text()).slice(0, maxErrorLength)
  const code = /<Code>([\w.-]+)<\/Code>/.exec(text)?.[1] ?? ''
  return { code, error: new Error(`the store of MAYFLY_SOURCES answered ${statusCode} ${code}`.trimEnd()) }
}

/** Characters of an answer in which its code is looked for. */
const maxErrorLength = 4_096

async function loadSigner() {
  try {
    return await import('aws4fetch')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new ConfigError(`MAYFLY_SOURCES: needs a package that is not installed: npm install --no-save --save-prod ${signerPackage}`)
  }
}
