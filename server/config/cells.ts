import { ConfigError } from './config-file.ts'
import { hostName, httpUrl, list } from './config-values.ts'
import { isDatabaseUrl } from './database-url.ts'
import { passwordFile } from './file-values.ts'

/** A database with its nodes, beside others that serve with it as one. */
export interface CellPlace {
  /** Its default domain. */
  name: string
  /** By which nodes of other cells reach its API, without a final slash. */
  url: string
  smtp: { host: string, port: number }
}

/** The other cells, of which each has accounts of its own. */
export interface CellsConfig {
  others: CellPlace[]
  /** Proves to a cell that a request or a mail comes from another one. */
  secret: string
}

const minSecretLength = 16

/** The path of the API of a cell that answers other cells, and the maximum names in one call. */
export const lookupPath = '/.cells/lookup'
export const maxNames = 200
/** Values in place of account ids in the answers of a lookup: for a return path, and for an account that is held for its move. */
export const unnamedAccounts = { ofReturnPath: 'reports', held: 'refused' }

/** The default domains of all cells, that of this one first. */
export const defaultDomainsOf = ({ defaultDomain, cells }: { defaultDomain: string, cells: CellsConfig | null }): string[] =>
  [defaultDomain, ...cells?.others.map(({ name }) => name) ?? []]

/** A part of `MAYFLY_CELLS`: default domain, URL of the API, host and port of SMTP. */
function cell(value: string): CellPlace {
  const [name = '', url = '', smtp = '', ...more] = value.split(/\s+/)
  const [, host = '', port = ''] = /^\[?([^\s[\]]+?)\]?:(\d{1,5})$/.exec(smtp) ?? []
  if (!host || Number(port) < 1 || Number(port) > 65_535 || more.length > 0) {
    throw new Error(`"${value}" is not the default domain of a cell, its URL, and its host and port of SMTP, such as a.example.com http://10.0.1.9:3000 10.0.1.9:2525`)
  }
  return { name: hostName(name), url: httpUrl(url), smtp: { host, port: Number(port) } }
}

type Read = <T>(name: string, fallback: string, check: (text: string) => T) => T

/** @throws ConfigError for cells that cannot serve together with this one */
export function readCells(read: Read, { defaultDomain, database }: { defaultDomain: string, database: string }): CellsConfig | null {
  const cells = read('MAYFLY_CELLS', '', (value) => list(String)(value).map(cell))
  const [given, ofFile] = [read('MAYFLY_CELLS_SECRET', '', String), read('MAYFLY_CELLS_SECRET_FILE', '', passwordFile)]
  if (given && ofFile) throw new ConfigError('MAYFLY_CELLS_SECRET_FILE: MAYFLY_CELLS_SECRET is set too. Remove one of them')
  if (cells.length === 0 && (given || ofFile)) throw new ConfigError('MAYFLY_CELLS_SECRET: is for the cells of MAYFLY_CELLS, which is not set. Set it, or remove the secret')
  if (cells.length === 0) return null
  if (!isDatabaseUrl(database)) throw new ConfigError('MAYFLY_CELLS: is for a MAYFLY_DATABASE that begins with postgres://')
  const names = cells.map(({ name }) => name)
  const twice = names.find((name, i) => names.indexOf(name) < i)
  if (twice !== undefined) throw new ConfigError(`MAYFLY_CELLS: has ${twice} twice. Remove one of them, or give it the default domain of its cell`)
  if (!names.includes(defaultDomain)) throw new ConfigError(`MAYFLY_CELLS: lacks ${defaultDomain}, the MAYFLY_DEFAULT_DOMAIN of this cell`)
  const secret = given || ofFile
  if (secret.length < minSecretLength || !/^[!-~]+$/.test(secret)) {
    throw new ConfigError(`MAYFLY_CELLS_SECRET: needs at least ${minSecretLength} ASCII characters without spaces, the same at each cell`)
  }
  return { others: cells.filter(({ name }) => name !== defaultDomain), secret }
}
