import type { Check } from '../../cli/doctor/check.ts'
import { readConfig } from '../../server/config/config.ts'
import { openResolver } from '../../server/outbound/dns.ts'
import { inspectDatabase } from '../../server/store/inspect.ts'

/** Runs one check of `mayfly doctor` in this process, as at a public host. */
export async function runCheck(check: Check, variables: Record<string, string | undefined>): Promise<Awaited<ReturnType<Check['run']>>> {
  const config = readConfig(variables)
  const resolver = openResolver(config.dnsServers)
  try {
    return await check.run({ config, resolver, database: await inspectDatabase(config.database, []), isPublic: true, now: Date.now() })
  } finally {
    resolver.close()
  }
}
