import { base64Lines, file, from, hello, jane, line, mail, textPart, withBody, withParts } from './mail.ts'
import type { CorpusMail, Line } from './mail.ts'

const flowed = (name: string, parameters: string, body: Line[], text: string): CorpusMail =>
  withBody(name, [`Content-Type: text/plain; charset=utf-8; format=flowed${parameters}`], body, { text })

const message: string[] = ['From: John <john@example.org>', 'Subject: Inner', 'Content-Type: text/plain', '', 'Inner text.']
const innerParts: string[] = ['From: John <john@example.org>', 'Subject: Inner', 'Content-Type: multipart/mixed; boundary=in', '',
  '--in', '', 'Inner text.', '--in', 'Content-Type: image/png; name=inner.png', '', 'png', '--in--']
const attach = (type: string, body: Line[], ...header: Line[]): Line[] => [`Content-Type: ${type}`, ...header, '', ...body]
const fileOf = (name: string | null, body: Line[]) => file(name, line(...body.flatMap((text, i) => i === 0 ? [text] : ['\r\n', text])))

const calendar = ['BEGIN:VCALENDAR', 'METHOD:REQUEST', 'BEGIN:VEVENT', 'SUMMARY:Lunch', 'END:VEVENT', 'END:VCALENDAR']
const tnef = Buffer.from('789f3e2201000690080004000000000001', 'hex')
const status = ['Reporting-MTA: dns; mx.example.org', '', 'Final-Recipient: rfc822; john@example.org', 'Action: failed', 'Status: 5.1.1']
const signature = ['-----BEGIN PGP SIGNATURE-----', '', 'iQEzBAEBCAAdFiEE', '-----END PGP SIGNATURE-----']

export const kindMails: CorpusMail[] = [
  flowed('flowed text', '', ['One line ', 'that goes on.', '', 'Another.'], 'One line that goes on.\n\nAnother.'),
  flowed('flowed text with quotes', '', ['> quoted ', '> text', 'answer'], '> quoted text\nanswer'),
  flowed('flowed text with quotes that no space follows', '', ['>quoted', '>>twice', '>> and', '> > apart ', '> > twice'], '>quoted\n>>twice\n>> and\n> > apart > twice'),
  flowed('flowed text with a space that protects a line', '', [' From here', ' > no quote'], 'From here\n> no quote'),
  flowed('flowed text with a signature', '', ['Text', '-- ', 'Jane'], 'Text\n-- \nJane'),
  flowed('flowed text whose breaks delete the space', '; delsp=yes', ['Wort ', 'teil'], 'Wortteil'),
  withBody('text that only looks flowed', ['Content-Type: text/plain; charset=utf-8'], ['One line ', 'and another.'], { text: 'One line \nand another.' }),

  // RFC 2046, section 4.1.4: text of an unknown type is plain text
  ...['markdown', 'x-markdown', 'x-own', 'xml'].map((type) =>
    withBody(`text/${type} alone`, [`Content-Type: text/${type}; charset=utf-8`], ['# Hello', '', '*world*'], { text: '# Hello\n\n*world*' })),
  withBody('text/enriched', ['Content-Type: text/enriched'],
    ['<bold>Hello</bold>,', '<color><param>red</param>world</color>.', '', '1 << 2 <nofill>a', 'b</nofill>'], { text: 'Hello, world.\n1 < 2 a\nb' }),
  withBody('text/richtext', ['Content-Type: text/richtext'], ['<bold>Hello</bold>,', 'world.<constructor><nl>', '1 <lt> 2<comment>no</comment>'],
    { text: 'Hello, world.\n 1 < 2' }),
  withParts('Markdown and HTML', 'multipart/alternative', [attach('text/markdown', ['*Hello*']), attach('text/html', ['<p>Hello'])],
    { text: '*Hello*', html: '<p>Hello' }),
  withParts('plain text and Markdown', 'multipart/alternative', [textPart, attach('text/markdown', ['*Hello*'])], { attachments: [fileOf(null, ['*Hello*'])] }),
  withParts('AMP and HTML', 'multipart/alternative', [attach('text/x-amp-html', ['<html amp>']), attach('text/html', ['<p>Hello'])],
    { text: '', html: '<p>Hello', attachments: [] }),
  ...['markdown; name=a.md', 'x-own; name=a', 'plain; name=a.txt'].map((type) =>
    withBody(`the only part, with a name: text/${type}`, [`Content-Type: text/${type}`], ['*Hello*'], { text: '*Hello*' })),
  withBody('Markdown as a file', ['Content-Type: text/markdown; name=a.md', 'Content-Disposition: attachment'], ['*Hello*'],
    { text: '', attachments: [fileOf('a.md', ['*Hello*'])] }),
  withParts('Markdown as a file beside text', 'multipart/mixed', [textPart, attach('text/markdown; name=a.md', ['*Hello*'])],
    { attachments: [fileOf('a.md', ['*Hello*'])] }),
  withBody('table alone, as a file', ['Content-Type: text/csv; name=a.csv'], ['a,b'], { text: '', attachments: [fileOf('a.csv', ['a,b'])] }),
  ...['plain/text', 'application/text', 'Application/Text; charset=utf-8'].map((type) =>
    withBody(`text under a wrong type: ${type}`, [`Content-Type: ${type}`], ['Hello'], { text: 'Hello' })),
  withBody('AMP alone', ['Content-Type: text/x-amp-html'], ['<p>Hello'], { text: '', html: '<p>Hello' }),

  withParts('message', 'multipart/mixed', [textPart, attach('message/rfc822', message)], { attachments: [fileOf(null, message)] }),
  withParts('message as a file', 'multipart/mixed',
    [textPart, attach('message/rfc822', message, 'Content-Disposition: attachment; filename=inner.eml')], { attachments: [fileOf('inner.eml', message)] }),
  withParts('message with files of its own', 'multipart/mixed',
    [textPart, attach('message/rfc822', innerParts, 'Content-Disposition: attachment; filename=inner.eml')], { attachments: [fileOf('inner.eml', innerParts)] }),
  withParts('digest', 'multipart/digest', [['', ...message], ['', ...message]], { text: '', attachments: [fileOf(null, message), fileOf(null, message)] }),
  withParts('delivery report', 'multipart/report; report-type=delivery-status',
    [textPart, attach('message/delivery-status', status), attach('text/rfc822-headers', ['Subject: Hello'])],
    { attachments: [fileOf(null, status), file(null, 'Subject: Hello')] }),
  withParts('delivery report with the mail', 'multipart/report; report-type=delivery-status',
    [textPart, attach('message/delivery-status', status), attach('message/rfc822', message, 'Content-Disposition: attachment')],
    { attachments: [fileOf(null, status), fileOf(null, message)] }),
  withParts('read receipt', 'multipart/report; report-type=disposition-notification',
    [textPart, attach('message/disposition-notification', ['Disposition: manual-action/MDN-sent-manually; displayed'])],
    { attachments: [file(null, 'Disposition: manual-action/MDN-sent-manually; displayed')] }),

  withParts('invitation', 'multipart/alternative', [textPart, attach('text/calendar; method=REQUEST; charset=utf-8', calendar)], { attachments: [fileOf(null, calendar)] }),
  withParts('invitation as a file', 'multipart/mixed',
    [textPart, attach('text/calendar; name=invite.ics', calendar, 'Content-Disposition: attachment; filename=invite.ics')], { attachments: [fileOf('invite.ics', calendar)] }),
  withBody('invitation alone', ['Content-Type: text/calendar; method=REQUEST; charset=utf-8'], calendar, { text: '', attachments: [fileOf(null, calendar)] }),
  withParts('TNEF', 'multipart/mixed', [textPart, attach('application/ms-tnef; name=winmail.dat', base64Lines(tnef), 'Content-Transfer-Encoding: base64')],
    { attachments: [file('winmail.dat', tnef)] }),
  withParts('text as a file', 'multipart/mixed', [textPart, attach('text/plain; charset=iso-8859-1', [Buffer.from('4772fcdf65', 'hex')], 'Content-Disposition: attachment; filename=a.txt')],
    { attachments: [file('a.txt', Buffer.from('4772fcdf65', 'hex'))] }),
  withParts('page as a file', 'multipart/mixed', [textPart, attach('text/html', ['<p>file</p>'], 'Content-Disposition: attachment; filename=a.html')],
    { attachments: [file('a.html', '<p>file</p>')] }),
  withParts('table as a file', 'multipart/mixed', [textPart, attach('text/csv; name=a.csv', ['a,b', '1,2'])], { attachments: [fileOf('a.csv', ['a,b', '1,2'])] }),
  withParts('address card', 'multipart/mixed', [textPart, attach('text/vcard; name=jane.vcf', ['BEGIN:VCARD', 'END:VCARD'])],
    { attachments: [fileOf('jane.vcf', ['BEGIN:VCARD', 'END:VCARD'])] }),
  // RFC 2183, section 2.8: an unknown disposition is treated as attachment
  withParts('disposition that is not known', 'multipart/mixed', [textPart, attach('text/plain', ['file'], 'Content-Disposition: x-own; filename=a.txt')],
    { attachments: [file('a.txt', 'file')] }),
  withParts('file without a content type', 'multipart/mixed', [textPart, ['Content-Disposition: attachment; filename=a.bin', '', 'file']],
    { attachments: [file('a.bin', 'file')] }),
  withParts('file with a malformed content type', 'multipart/mixed', [textPart, ['Content-Type: pdf', 'Content-Disposition: attachment; filename=a.pdf', '', 'file']],
    { attachments: [file('a.pdf', 'file')] }),
  withBody('file in place of a text', ['Content-Type: application/pdf; name=a.pdf', 'Content-Disposition: attachment; filename=a.pdf'], ['%PDF-'],
    { text: '', attachments: [file('a.pdf', '%PDF-')] }),
  withBody('image in place of a text', ['Content-Type: image/png', 'Content-Transfer-Encoding: base64'], ['iVBORw0KGgo='],
    { text: '', attachments: [file(null, Buffer.from('89504e470d0a1a0a', 'hex'))] }),
  withParts('signed by OpenPGP', 'multipart/signed; protocol="application/pgp-signature"; micalg=pgp-sha256',
    [textPart, attach('application/pgp-signature; name=signature.asc', signature)], { attachments: [fileOf('signature.asc', signature)] }),
  withParts('signed by S/MIME', 'multipart/signed; protocol="application/pkcs7-signature"',
    [textPart, attach('application/pkcs7-signature; name=smime.p7s', ['MIIB'], 'Content-Transfer-Encoding: base64', 'Content-Disposition: attachment; filename=smime.p7s')],
    { attachments: [file('smime.p7s', Buffer.from('MIIB', 'base64'))] }),
  withParts('encrypted by OpenPGP', 'multipart/encrypted; protocol="application/pgp-encrypted"',
    [attach('application/pgp-encrypted', ['Version: 1']), attach('application/octet-stream; name=encrypted.asc', ['-----BEGIN PGP MESSAGE-----'])],
    { text: '', attachments: [file(null, 'Version: 1'), file('encrypted.asc', '-----BEGIN PGP MESSAGE-----')] }),
  withBody('encrypted by S/MIME', ['Content-Type: application/pkcs7-mime; name=smime.p7m; smime-type=enveloped-data', 'Content-Transfer-Encoding: base64'], ['MIIB'],
    { text: '', attachments: [file('smime.p7m', Buffer.from('MIIB', 'base64'))] }),
  // Programs older than MIME write files into the text; it stays text
  withBody('uuencode in a text', ['Content-Type: text/plain'], [hello, '', 'begin 644 cat.txt', '#0V%T', '`', 'end'], { text: `${hello}\n\nbegin 644 cat.txt\n#0V%T\n\`\nend` }),
  mail('code of a shop', [
    'Received: from mx.example.org (mx.example.org [192.0.2.1])\r\n\tby mail.localhost with ESMTPS id 1;\r\n\tFri, 2 Jan 2026 10:00:00 +0000',
    'DKIM-Signature: v=1; a=rsa-sha256; d=example.org; s=s1; h=from:subject;\r\n\tbh=abc=; b=abc=', from, 'To: live@mail.localhost',
    'Subject: =?utf-8?Q?Ihr_Best=C3=A4tigungscode_lautet_482913?=', 'MIME-Version: 1.0', 'Content-Type: multipart/alternative;\r\n boundary="----=_Part_1_2.3"', '',
    '------=_Part_1_2.3', 'Content-Type: text/plain; charset=UTF-8', 'Content-Transfer-Encoding: quoted-printable', '', 'Ihr Code lautet 482913=2E G=C3=BCltig f=C3=BCr zehn =', 'Minuten.',
    '------=_Part_1_2.3', 'Content-Type: text/html; charset=UTF-8', 'Content-Transfer-Encoding: quoted-printable', '', '<p>Ihr Code lautet <b>482913</b>=2E</p>',
    '------=_Part_1_2.3--', '',
  ], { subject: 'Ihr Bestätigungscode lautet 482913', from: jane, text: 'Ihr Code lautet 482913. Gültig für zehn Minuten.', html: '<p>Ihr Code lautet <b>482913</b>.</p>' }),
]
