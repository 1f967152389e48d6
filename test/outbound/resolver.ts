import { openResolver } from '../../server/outbound/dns.ts'
import type { Resolver, ResolverOptions } from '../../server/outbound/dns.ts'
import { openDnsServer } from '../support/dns-server.ts'
import type { DnsServer } from '../support/dns-server.ts'

export interface ResolverWorld {
  /** Its zone and its questions are empty when a test begins. */
  dns: DnsServer
  /** A new one for each test, which closes it. */
  resolver: Resolver
}

/** A DNS server for the tests of a suite, and resolvers that ask it. */
export function useResolver(options?: ResolverOptions): ResolverWorld {
  const world = {} as ResolverWorld
  before(async () => { world.dns = await openDnsServer() })
  after(() => world.dns[Symbol.asyncDispose]())
  beforeEach(() => {
    for (const name of Object.keys(world.dns.zone)) delete world.dns.zone[name]
    world.dns.questions.length = 0
    world.resolver = openResolver([world.dns.servers], options)
  })
  afterEach(() => world.resolver.close())
  return world
}
