/** Up to this length a mail is text alone; a longer one has an attachment. */
const maxTextBytes = 2_000

/** A mail of about as many bytes, with CRLF, without its final dot. Its subject ends with the number of bytes. */
export function sourceOf(name: string, bytes: number): string {
  return `From: a@crash.example\r\nSubject: ${subjectOf(name, bytes)}\r\n${bodyOf(bytes)}`
}

export const subjectOf = (name: string, bytes: number): string => `${name} of ${bytes}`

/** The mail whose subject this is, as it was sent. */
export function sourceBySubject(subject: string): string {
  const [, name, bytes] = /^(.*) of (\d+)$/.exec(subject)!
  return sourceOf(name!, Number(bytes))
}

const bodies = new Map<number, string>()

function bodyOf(bytes: number) {
  const body = bodies.get(bytes) ?? (bytes <= maxTextBytes ? textOf(bytes) : attachmentOf(bytes))
  bodies.set(bytes, body)
  return body
}

const textOf = (bytes: number) => `\r\n${'text text text\r\n'.repeat(bytes / 16)}`

/** Numbered lines, so that chunks in the wrong order are found. */
function attachmentOf(bytes: number) {
  const lines = Array.from({ length: Math.ceil(bytes / 78) }, (_, i) => String(i).padStart(76, 'A'))
  return ['MIME-Version: 1.0', 'Content-Type: multipart/mixed; boundary=b', '', '--b', '', 'text', '--b',
    'Content-Type: application/octet-stream', 'Content-Transfer-Encoding: base64', '', ...lines, '--b--', ''].join('\r\n')
}
