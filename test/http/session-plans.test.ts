import { expect } from 'chai'
import { openTestApp, shareTestApp } from '../support/app.ts'
import { signIn } from '../support/sessions.ts'
import { createAccount } from '../support/store/accounts.ts'
import { rowsOf } from '../support/store/rows.ts'

describe('Session: plan and administrators', () => {
  const newAccount = shareTestApp()

  for (const plan of ['free', 'pro'] as const) {
    it(`of the ${plan} plan uses addresses, mail, forwarding, domains and analytics, without API keys and webhooks`, async () => {
      const app = await newAccount()
      const { api } = await signIn(app, { plan })
      expect((await api('POST', '/addresses', { body: {} })).status).to.equal(201)
      for (const path of ['/addresses', '/emails', '/domains', '/forwarding-addresses', '/analytics', '/audit-logs', '/api-keys', '/webhooks']) {
        expect((await api('GET', path)).status, path).to.equal(200)
      }
      for (const [path, what, body] of [
        ['/webhooks', 'Webhooks', { url: 'https://hooks.example.com/', events: ['email.received'] }],
        ['/api-keys', 'API keys', { name: 'CI', scopes: ['emails:read'] }],
      ] as const) {
        const answer = await api('POST', path, { body })
        expect([answer.status, answer.body]).to.deep.equal([403, {
          error: `${what} are part of the Business plan; this account has the ${plan} plan.`, code: 'PLAN_REQUIRED',
        }])
      }
    })

    it(`of the ${plan} plan revokes API keys that it had`, async () => {
      const app = await newAccount()
      const { api, email } = await signIn(app, { plan })
      await app.newKey({ account: email })
      const [{ id }] = (await api('GET', '/api-keys')).body.data
      expect((await api('DELETE', `/api-keys/${id}`)).status).to.equal(200)
    })
  }

  it('reads its account, the limits of its plan and the settings of the server', async () => {
    await using app = await openTestApp({ env: { MAYFLY_RETENTION_SECONDS: '3600', MAYFLY_OUTBOUND: 'smtp://relay.example.com:25' } })
    const { api, email } = await signIn(app, { plan: 'pro' })
    const { id, createdAt, ...shown } = (await api('GET', '/account')).body.data
    expect(shown).to.deep.equal({
      email, userEmail: email, role: 'owner', hasOthers: false, plan: 'pro', isAdmin: false, maxAddressSeconds: 7 * 24 * 3600, hasApi: false,
      server: {
        defaultDomain: 'mail.localhost', smtpUrl: `smtp://localhost:${app.smtp.port}`, outbound: 'relay', retentionSeconds: 3600,
        smtpLogin: { host: 'localhost', port: app.smtp.port, security: 'none' },
      },
    })
    expect([id, createdAt].every(Boolean)).to.equal(true)
  })

  it('is that of an administrator for the first account, and for those of MAYFLY_ADMINS', async () => {
    await using app = await openTestApp({ env: { MAYFLY_ADMINS: 'Ada@example.com, grace@example.com' } })
    const first = (await rowsOf(app, 'accounts'))[0]!.email
    await createAccount(app, 'ada@example.com')
    const isAdmin = async (email?: string) => (await (await signIn(app, { email })).api('GET', '/account')).body.data.isAdmin
    expect([await isAdmin(first), await isAdmin('ada@example.com'), await isAdmin()]).to.deep.equal([true, true, false])
  })

  it('of another account is refused the administration', async () => {
    const app = await newAccount()
    await signIn(app)
    const { api } = await signIn(app)
    for (const path of ['/admin/accounts', '/admin/captured-emails']) {
      const answer = await api('GET', path)
      expect([answer.status, answer.body]).to.deep.equal([403, {
        error: 'This is for administrators of the server. The variable MAYFLY_ADMINS names their addresses.', code: 'MISSING_SCOPE',
      }])
    }
  })
})
