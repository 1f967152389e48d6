import { openTestApp } from '../support/app.ts'
import { programs, runPython } from './python.ts'

/**
 * Runs the sign-up test with pytest against the real server.
 * @param count number of sign-ups
 * @param plugin of pytest that is loaded by name, as its entry point does where the package is installed
 * @returns the output of pytest
 * @throws Error with its output when one fails
 */
export async function runSignUps(count: number, plugin = 'mayfly.pytest_plugin'): Promise<string> {
  await using app = await openTestApp({ isRealTime: true, env: { MAYFLY_RATE_LIMIT: '0' } })
  return await runPython(['-W', 'error', '-m', 'pytest', '-p', plugin, '-p', 'no:cacheprovider', '-q', `${programs}/sign_up_test.py`], {
    MAYFLY_BASE_URL: app.url, MAYFLY_API_KEY: app.key, SMTP_PORT: String(app.smtp.port), SIGN_UPS: String(count),
  })
}
