/** The command that sends a mail with a code to an address. @param smtpUrl of the server, such as `smtp://localhost:2525` */
export const curlLine = (smtpUrl: string, address: string): string => `curl -s ${smtpUrl} \\
  --mail-from shop@example.org \\
  --mail-rcpt ${address} \\
  -T - <<'MAIL'
From: Shop <shop@example.org>
To: ${address}
Subject: Your code is 482913

Hello, your code is 482913.
MAIL`

/** The same for PowerShell, whose curl may be another program. */
export const powerShellLines = (smtpUrl: string, address: string): string => {
  const { hostname, port } = new URL(smtpUrl.replace(/^smtps?:/, 'http:'))
  return `Send-MailMessage -SmtpServer '${hostname.replace(/^\[|\]$/g, '')}' -Port ${port || '25'} \`
  -From 'Shop <shop@example.org>' -To '${address.replaceAll('\'', '\'\'')}' \`
  -Subject 'Your code is 482913' -Body 'Hello, your code is 482913.' \`
  -WarningAction SilentlyContinue`
}

/** The lines of a test that waits for a mail to an address. */
export const sdkLines = (baseUrl: string, addressId: string): string => `import { Mayfly } from '@mayfly-mail/sdk'

const mayfly = new Mayfly({
  baseUrl: '${baseUrl}',
  apiKey: process.env.MAYFLY_API_KEY,
})
const email = await mayfly.emails.waitFor({
  addressId: '${addressId}',
})
console.log(email.subject, email.codes[0])`

export const pythonLines = (baseUrl: string, addressId: string): string => `import os
from mayfly import Mayfly

with Mayfly(api_key=os.environ['MAYFLY_API_KEY'], base_url='${baseUrl}') as mayfly:
    email = mayfly.emails.wait_for(address_id='${addressId}')
    print(email.subject, email.codes[0])`

const variables = (baseUrl: string, sign: string) => `${sign} MAYFLY_API_KEY=svc_… MAYFLY_BASE_URL=${baseUrl}`

/** A test that makes an address of its own. */
export const playwrightLines = (baseUrl: string): string => `${variables(baseUrl, '//')}
import { expect, test } from '@mayfly-mail/sdk/playwright'

test('a new customer confirms the address', async ({ page, inbox }) => {
  await page.goto('/sign-up')
  await page.getByLabel('Email').fill(inbox.address)
  await page.getByRole('button', { name: 'Sign up' }).click()
  await page.getByLabel('Code').fill(await inbox.waitForCode())
  await expect(page.getByRole('heading')).toHaveText('Welcome')
})`

export const pytestLines = (baseUrl: string): string => `${variables(baseUrl, '#')}
def test_sign_up(inbox):
    sign_up(inbox.address)
    assert len(inbox.wait_for_code()) == 6`
