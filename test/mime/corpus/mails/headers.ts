import { from, hello, latin1, mail, wire, withSubject, jane } from './mail.ts'
import type { CorpusMail } from './mail.ts'

const expected = { subject: 'Hello', from: jane, text: hello, html: null, attachments: [] }
const long = 'word '.repeat(300).trim()

export const headerMails: CorpusMail[] = [
  withSubject('subject on one line', 'Hello, world', 'Hello, world'),
  withSubject('subject on two lines', 'Hello,\r\n world', 'Hello, world'),
  withSubject('subject folded with a tab', 'Hello,\r\n\tworld', 'Hello, world'),
  withSubject('subject that begins on the second line', '\r\n Hello', 'Hello'),
  withSubject('subject with an empty line of white space', 'Hello,\r\n \r\n world', 'Hello, world'),
  withSubject('subject of 1,500 characters', long, long),
  withSubject('subject on fifty lines', long.replaceAll(/(.{29}) /g, '$1\r\n '), long),
  withSubject('subject with a colon', 'Re: Re: Hello: world', 'Re: Re: Hello: world'),
  withSubject('subject of nothing', '', ''),
  withSubject('subject of white space', '   ', ''),
  withSubject('subject with an emoji', '🎉 50 % off 🎉', '🎉 50 % off 🎉'),
  mail('no subject', [from, '', hello], { subject: '' }),
  mail('two subjects, as Python reads them', [from, 'Subject: Hello', 'Subject: Other', '', hello]),
  mail('white space before the colon', ['From : Jane Doe <jane@example.org>', 'Subject\t: Hello', '', hello]),
  mail('no white space behind the colon', ['From:Jane Doe <jane@example.org>', 'Subject:Hello', '', hello]),
  mail('names in lower and upper case', ['from: Jane Doe <jane@example.org>', 'SUBJECT: Hello', '', hello]),
  mail('a line of mbox before the header', ['From jane@example.org Fri Jan  2 10:00:00 2026', from, 'Subject: Hello', '', hello]),
  mail('an escaped line of mbox before the header', ['>From jane@example.org Fri Jan  2 10:00:00 2026', from, 'Subject: Hello', '', hello]),
  mail('lines of mbox in the text', [from, 'Subject: Hello', '', hello, '', 'From here on it is text.', '>From there too.'],
    { text: `${hello}\n\nFrom here on it is text.\n>From there too.` }),
  mail('a line without a colon in the header', [from, 'this is no field', 'Subject: Hello', '', hello]),
  mail('a field without a name in the header', [from, ': nothing', 'Subject: Hello', '', hello]),
  mail('fields with empty values', [from, 'X-Empty:', 'X-Blank: ', 'Subject: Hello', '', hello]),
  mail('500 fields before the subject', [from, ...Array.from({ length: 500 }, (_, i) => `X-Field-${i}: value`), 'Subject: Hello', '', hello]),
  mail('a field of 20,000 characters before the subject', [from, `X-Long: ${'x'.repeat(20_000)}`, 'Subject: Hello', '', hello]),
  mail('raw bytes in other fields', [from, latin1('X-Name: J\xf6rg'), latin1('To: J\xf6rg <joerg@example.org>'), 'Subject: Hello', '', hello]),
  mail('no body and no line behind the header', [from, 'Subject: Hello'], { text: '' }),
  mail('no body', [from, 'Subject: Hello', '', ''], { text: '' }),
  mail('no header', ['', hello], { subject: '', from: { name: '', address: '' } }),
  { name: 'bare LF', raw: wire([from, 'Subject: Hello', '', hello, ''], '\n'), expected },
  { name: 'bare LF and folding', raw: wire([from, 'Subject: Hello,', '\tworld', '', hello, ''], '\n'), expected: { ...expected, subject: 'Hello, world' } },
  { name: 'bare LF in the header, CRLF in the body', raw: Buffer.concat([wire([from, 'Subject: Hello', '', ''], '\n'), wire([hello, ''])]), expected },
]
