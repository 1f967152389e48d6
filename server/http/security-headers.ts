import type { Context, Middleware } from 'koa'
import helmet from 'koa-helmet'
import type { Config } from '../config.ts'

/**
 * Sets the security headers of an API: no response is an HTML page, unless a handler sets its own policy. They are the same in every
 * response, so helmet is called once, and the headers that it sets are kept.
 */
export async function openSecurityHeaders(config: Config): Promise<Middleware> {
  const headers = new Map<string, string>()
  const res = { setHeader: (name: string, value: string) => headers.set(name, value), removeHeader() {} }
  await helmet(optionsOf(config))({ req: {}, res } as unknown as Context, async () => {})
  return (ctx, next) => {
    for (const [name, value] of headers) ctx.res.setHeader(name, value)
    return next()
  }
}

const optionsOf = ({ baseUrl }: Config): Parameters<typeof helmet>[0] => ({
  // HSTS for the host of the base URL only: its subdomains may belong to other services
  strictTransportSecurity: baseUrl?.startsWith('https:') === true && { includeSubDomains: false },
  contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  xFrameOptions: { action: 'deny' },
  originAgentCluster: false,
  xDnsPrefetchControl: false,
  xDownloadOptions: false,
  xPermittedCrossDomainPolicies: false,
  xXssProtection: false,
})
