import { fileURLToPath } from 'node:url'
import { ConfigError } from './config-file.ts'
import { isDatabaseUrl } from './database-url.ts'

/** The store of the sources of mail beside the database: a folder that all nodes have, or a bucket of an object store. */
export type Sources = SourcesFolder | SourcesBucket

interface SourcesFolder {
  kind: 'file'
  folder: string
}

export interface SourcesBucket extends BucketCredentials {
  kind: 's3'
  /** Of the bucket, in path style, with the beginning of the names of its objects, and without a final slash. */
  url: string
  region: string
}

interface BucketCredentials {
  accessKeyId: string
  secretAccessKey: string
  /** Empty without one. */
  sessionToken: string
}

type SourcesPlace = SourcesFolder | Omit<SourcesBucket, keyof BucketCredentials>

const parameters = ['endpoint', 'region']

/**
 * Checks MAYFLY_SOURCES.
 * @throws Error whose message follows the name of the variable
 */
export function sourcesUrl(value: string): SourcesPlace {
  const url = URL.canParse(value) ? new URL(value) : undefined
  if (url?.protocol === 'file:') return { kind: 'file', folder: folderOf(url) }
  if (url?.protocol === 's3:') return { kind: 's3', ...bucketOf(url) }
  throw new Error('takes a folder, file:///srv/mayfly/sources, or a bucket, s3://bucket/prefix?endpoint=https://s3.example.com&region=eu-1')
}

function folderOf(url: URL): string {
  if (url.host || url.search || url.hash) throw new Error('takes a folder of this machine with three slashes, and no query: file:///srv/mayfly/sources')
  return fileURLToPath(url)
}

function bucketOf({ hostname, port, username, password, pathname, hash, searchParams }: URL) {
  if (username || password) throw new Error('has no credentials: they are in AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  if (hash || port || !/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(hostname)) throw new Error('the URL has no name of a bucket: s3://bucket/prefix')
  if (!/^[\w./-]*$/.test(pathname)) throw new Error('the prefix of the URL has a character other than letters, digits, and . _ - /')
  for (const name of searchParams.keys()) {
    if (!parameters.includes(name)) throw new Error(`the URL has a parameter that is none of ${parameters.join(', ')}`)
  }
  const region = searchParams.get('region') ?? 'us-east-1'
  if (!/^[\w-]+$/.test(region)) throw new Error('region of the URL is not the name of a region, such as eu-central-1')
  const endpoint = endpointOf(searchParams.get('endpoint') ?? `https://s3.${region}.amazonaws.com`)
  return { url: [endpoint, hostname, ...pathname.split('/').filter(Boolean)].join('/'), region }
}

function endpointOf(value: string): string {
  const { protocol, pathname, search, hash, username, origin } = URL.canParse(value) ? new URL(value) : { protocol: '' } as URL
  if (!/^https?:$/.test(protocol) || pathname !== '/' || search || hash || username) {
    throw new Error('endpoint of the URL is not an http or https URL without a path, such as https://s3.example.com')
  }
  return origin
}

/**
 * Adds the credentials.
 * @param given.secretFile the content of a file in place of `secretAccessKey`
 * @throws ConfigError when one is missing, or the database is a file
 */
export function sourcesOf(
  place: SourcesPlace | null, database: string, { secretFile, ...given }: BucketCredentials & { secretFile: string },
): Sources | null {
  if (!place) return null
  if (!isDatabaseUrl(database)) throw new ConfigError('MAYFLY_SOURCES: is for a MAYFLY_DATABASE that begins with postgres://')
  if (place.kind === 'file') return place
  const secretAccessKey = given.secretAccessKey || secretFile
  if (!given.accessKeyId) throw new ConfigError('AWS_ACCESS_KEY_ID: is needed when MAYFLY_SOURCES begins with s3://')
  if (!secretAccessKey) throw new ConfigError('AWS_SECRET_ACCESS_KEY: is needed when MAYFLY_SOURCES begins with s3://, or its _FILE')
  return { ...place, ...given, secretAccessKey }
}
