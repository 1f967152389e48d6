import { listenSmtp } from '../../server/smtp/server.ts'
import type { SmtpLimits } from '../../server/smtp/limits.ts'
import type { App } from '../../server/context.ts'
import type { TestApp } from './app.ts'

/**
 * Opens one more SMTP listener of a server, with limits and sessions of its own, which takes less time than one more server.
 * @param changes replaced parts of the server, for mail to this listener
 * @returns the server as if it had this listener alone, except `send`; disposing closes the listener
 */
export async function openListener(app: TestApp, limits: Partial<SmtpLimits> = {}, changes: Partial<Pick<App, 'freeBytes'>> = {}): Promise<TestApp> {
  const listener = await listenSmtp({ ...app.app, ...changes }, limits)
  return {
    ...app,
    app: { ...app.app, smtp: listener },
    smtp: { host: '127.0.0.1', port: listener.port },
    [Symbol.asyncDispose]: () => listener.close(),
  }
}
