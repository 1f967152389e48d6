import { shareTestApp } from './app.ts'
import type { TestApp } from './app.ts'
import { signIn } from './sessions.ts'
import type { TestSession } from './sessions.ts'
import { createAccount } from './store/accounts.ts'

/** An address of MAYFLY_ADMINS, in lower case. */
const adminEmail = 'root@example.com'

export interface AdminWorld {
  app: TestApp
  /** The session of an administrator, whose account has the Free plan. */
  admin: TestSession
  /** The account with this email address, as administrators see it. */
  accountOf(email: string): Promise<any>
}

/**
 * One server with an administrator for all tests of a suite.
 * @returns a function that gives a test the server, and a new session of the administrator
 */
export function shareAdminWorld(): () => Promise<AdminWorld> {
  const newApp = shareTestApp({ env: { MAYFLY_ADMINS: 'Root@Example.com' } })
  before(async () => { await createAccount(await newApp(), adminEmail, 'free') })
  return async () => {
    const app = await newApp()
    const admin = await signIn(app, { email: adminEmail })
    return {
      app, admin,
      accountOf: async (email) => (await admin.api('GET', `/admin/accounts?search=${encodeURIComponent(email)}`)).body.data[0],
    }
  }
}
