import { dayMs } from '../../clock.ts'
import { ownPolicy, policyPath } from '../../config/mta-sts-policy.ts'
import type { App } from '../../context.ts'
import { readProof } from '../../domain/acme-certificate.ts'
import { pageRouter } from './asset.ts'

/** Below the year that RFC 9116, section 2.5.5, recommends. */
const contactDays = 180

/** Files that settings bring; without them, the paths are unknown. */
export function wellKnown({ config, clock, db }: App) {
  const policy = ownPolicy(config)
  const { securityContact } = config
  return pageRouter()
    // RFC 8555, section 8.3
    .get('/.well-known/acme-challenge/:token', async (ctx, next) => {
      const proof = config.smtp.acme?.tlsPort === null ? await readProof(db) : ''
      if (!proof.startsWith(`${ctx.params['token'] ?? ''}.`)) return next()
      ctx.type = 'text/plain; charset=utf-8'
      ctx.body = proof
    })
    .get('/.well-known/security.txt', (ctx, next) => {
      if (securityContact === null) return next()
      ctx.type = 'text/plain; charset=utf-8'
      ctx.body = `Contact: ${securityContact}\nExpires: ${new Date(clock.now() + contactDays * dayMs).toISOString()}\n`
    })
    // at every host: a custom domain whose mail comes here has the same policy
    .get(policyPath, (ctx, next) => {
      if (!policy) return next()
      ctx.type = 'text/plain; charset=utf-8'
      ctx.body = policy.text
    })
    .routes()
}
