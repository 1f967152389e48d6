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

/** The lines of a test that waits for a mail to an address. */
export const sdkLines = (baseUrl: string, addressId: string): string => `import { Mayfly } from '@mayfly-mail/sdk'

const mayfly = new Mayfly({
  baseUrl: '${baseUrl}',
  apiKey: process.env.MAYFLY_API_KEY,
})
const email = await mayfly.emails.waitFor({
  addressId: '${addressId}',
})
console.log(email.subject, email.codes[0])

// a test makes an address of its own:
const inbox = await mayfly.inboxes.create()
console.log(\`Sign up with \${inbox.address}\`)
const { codes } = await inbox.waitFor({ subject: /code/i })`
