import { readConfig } from '../../server/config/config.ts'
import type { Config } from '../../server/config/config.ts'
import { reservedNames } from '../../server/domain/addresses.ts'
import { openResolver } from '../../server/outbound/dns.ts'
import { inspectDatabase } from '../../server/store/inspect.ts'
import { oneLine } from '../output.ts'
import { baseUrl } from './base-url.ts'
import { cells } from './cells.ts'
import { certificate } from './certificate.ts'
import { isLocalName, warning } from './check.ts'
import type { Check, CheckContext, Finding } from './check.ts'
import { customDomains } from './custom-domains.ts'
import { databaseLoad } from './database-load.ts'
import { databaseServer } from './database-server.ts'
import { database } from './database.ts'
import { disk } from './disk.ts'
import { dkim } from './dkim.ts'
import { dmarc } from './dmarc.ts'
import { mtaSts, tlsRpt } from './mail-tls.ts'
import { mx, mxHost } from './mx.ts'
import { nameServers } from './name-servers.ts'
import { nodeVersion } from './node-version.ts'
import { outbound } from './outbound.ts'
import { httpPort, smtpPort, smtpsPort, submissionPort } from './ports.ts'
import { ptr } from './ptr.ts'
import { reservedAliases } from './reserved-aliases.ts'
import { signInProvider } from './sign-in-provider.ts'
import { sources } from './sources.ts'
import { spf } from './spf.ts'
import { readDefaults, readVariables } from './variables.ts'

export interface Result extends Finding {
  name: string
}

/** In the order of the report. */
const checks: Check[] = [
  database, databaseServer, databaseLoad, sources, cells, disk, httpPort, smtpPort, submissionPort, smtpsPort, certificate, baseUrl,
  signInProvider, outbound, nameServers, mx, mxHost, spf, dkim, dmarc, mtaSts, tlsRpt, ptr, customDomains, reservedAliases,
]

/** The resolver is closed after this time, and a check that still runs becomes a warning. */
const limits = { dnsMs: 9_000, checkMs: 12_000 }

/** Looks for mistakes in the configuration, the DNS and the network. It changes nothing and takes a few seconds. */
export async function diagnose(env: NodeJS.ProcessEnv, now = Date.now()): Promise<Result[]> {
  const variables = readVariables(env)
  const first = [...named('variables', variables), ...named('node', nodeVersion())]
  // with a wrong variable, the other checks would look at the wrong ports and files
  if (variables.some(({ status }) => status === 'problem')) return first
  return [...first, ...named('defaults', readDefaults(env)), ...await examine(readConfig(env), now)]
}

async function examine(config: Config, now: number): Promise<Result[]> {
  const resolver = openResolver(config.dnsServers, { timeoutMs: 1_500 })
  const timer = setTimeout(() => resolver.close(), limits.dnsMs)
  const context: CheckContext = {
    config, resolver, now, isPublic: !isLocalName(config.defaultDomain),
    database: await inspectDatabase(config.database, reservedNames(config)),
  }
  try {
    const results = await Promise.all(checks
      .filter(({ appliesTo }) => appliesTo?.(context) ?? true)
      .map(async (check) => named(check.name, await inTime(check, context))))
    return results.flat()
  } finally {
    clearTimeout(timer)
    resolver.close()
  }
}

async function inTime(check: Check, context: CheckContext): Promise<Finding | Finding[]> {
  const late = Promise.withResolvers<Finding>()
  const timer = setTimeout(() => late.resolve(warning('This check took too long', 'Run this again.')), limits.checkMs)
  try {
    return await Promise.race([check.run(context), late.promise])
  } catch (error) {
    return warning(`This check failed: ${(error as Error).message}`, 'Look at it by hand.')
  } finally {
    clearTimeout(timer)
  }
}

const named = (name: string, findings: Finding | Finding[]): Result[] =>
  [findings].flat().map(({ status, found, advice }) => ({ name, status, found: oneLine(found), advice }))
