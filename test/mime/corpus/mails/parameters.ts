import { from, latin1, line, mail, hello, file, withFile } from './mail.ts'
import type { CorpusMail, Line } from './mail.ts'

const attached = (name: string, value: Line, fileName: string | null): CorpusMail =>
  withFile(name, ['Content-Type: application/octet-stream', line('Content-Disposition: attachment; ', value)], fileName)
const named = (name: string, value: Line, fileName: string | null): CorpusMail =>
  withFile(name, [line('Content-Type: application/octet-stream; ', value), 'Content-Disposition: attachment'], fileName)

/** A boundary with every allowed character (RFC 2046, section 5.1.1). */
const oddBoundary = `'()+_,-./:=? b`

export const parameterMails: CorpusMail[] = [
  attached('file name of one word', 'filename=report.pdf', 'report.pdf'),
  attached('file name in quotes', 'filename="my report.pdf"', 'my report.pdf'),
  attached('file name with escaped quotes', String.raw`filename="my \"best\" report.pdf"`, 'my "best" report.pdf'),
  attached('file name with a semicolon', 'filename="a;b.pdf"; size=4', 'a;b.pdf'),
  attached('file name with an equals sign', 'filename="a=b.pdf"', 'a=b.pdf'),
  attached('file name with spaces and no quotes, as some senders write it', 'filename=my report.pdf', 'my report.pdf'),
  attached('file name with percent signs, which mean nothing there', 'filename="50%25 off.pdf"', '50%25 off.pdf'),
  attached('file name with an apostrophe', `filename="Jane's report.pdf"`, `Jane's report.pdf`),
  attached('file name in upper case parameters', 'FILENAME="report.pdf"', 'report.pdf'),
  attached('file name with white space around the equals sign', 'filename = "report.pdf"', 'report.pdf'),
  attached('file name before an empty parameter', 'filename="report.pdf";', 'report.pdf'),
  attached('file name that is folded', 'filename="my\r\n report.pdf"', 'my report.pdf'),
  attached('file name on a line of its own', '\r\n\tfilename="report.pdf";\r\n\tsize=4', 'report.pdf'),
  attached('file name that is extended', `filename*=UTF-8''%E2%82%AC%20rates.pdf`, '€ rates.pdf'),
  attached('file name that is extended, in lower case hex', `filename*=utf-8'en'%e2%82%ac%20rates.pdf`, '€ rates.pdf'),
  attached('file name that is extended, in KOI8-R', `filename*=koi8-r''%F0%D2%C9%D7%C5%D4.pdf`, 'Привет.pdf'),
  attached('file name that is extended beside a plain one', `filename="rates.pdf"; filename*=UTF-8''%E2%82%AC%20rates.pdf`, '€ rates.pdf'),
  attached('file name that is extended before a plain one', `filename*=UTF-8''%E2%82%AC%20rates.pdf; filename="rates.pdf"`, '€ rates.pdf'),
  attached('file name with an unescaped byte in its extended form', latin1(`filename*=iso-8859-1''Gr\xfc%DFe.pdf`), 'Grüße.pdf'),
  attached('file name in pieces', 'filename*0="my "; filename*1="report"; filename*2=.pdf', 'my report.pdf'),
  attached('file name in pieces out of order', 'filename*2=.pdf; filename*0="my "; filename*1="report"', 'my report.pdf'),
  attached('file name in twelve pieces', Array.from('abcdefghijkl', (char, i) => `filename*${i}=${char}`).join('; '), 'abcdefghijkl'),
  attached('file name in extended pieces', `filename*0*=UTF-8''%E2%82%AC%20;\r\n filename*1*=rates%20;\r\n filename*2*=2026.pdf`, '€ rates 2026.pdf'),
  attached('file name in extended and plain pieces', `filename*0*=UTF-8''%E2%82%AC%20; filename*1="rates 100%25"; filename*2*=%2E.pdf`, '€ rates 100%25..pdf'),
  attached('file name in pieces that cut a character', `filename*0*=UTF-8''%E2%82; filename*1*=%AC.pdf`, '€.pdf'),
  attached('file name with a word in Q', 'filename="=?utf-8?Q?Gr=C3=BC=C3=9Fe.pdf?="', 'Grüße.pdf'),
  attached('file name with a word in B', 'filename="=?utf-8?B?R3LDvMOfZS5wZGY=?="', 'Grüße.pdf'),
  attached('file name with words on two lines', 'filename="=?utf-8?Q?Gr=C3=BC?=\r\n =?utf-8?Q?=C3=9Fe.pdf?="', 'Grüße.pdf'),
  attached('file name with a word without quotes', 'filename==?utf-8?Q?Gr=C3=BC=C3=9Fe.pdf?=', 'Grüße.pdf'),
  attached('file name in raw UTF-8', 'filename="Grüße.pdf"', 'Grüße.pdf'),
  attached('file name in raw Latin-1', latin1('filename="Gr\xfc\xdfe.pdf"'), 'Grüße.pdf'),
  attached('file name in raw UTF-8 without quotes', 'filename=Grüße.pdf', 'Grüße.pdf'),
  // RFC 2183, section 2.3: only the last step of a path counts
  attached('file name with a path', 'filename="../../etc/passwd"', 'passwd'),
  attached('file name with a path of Windows', String.raw`filename="C:\Users\jane\report.pdf"`, 'report.pdf'),
  attached('no file name', 'size=4', null),
  named('file name of the type', 'name="report.pdf"', 'report.pdf'),
  named('file name of the type with a word', 'name="=?utf-8?Q?Gr=C3=BC=C3=9Fe.pdf?="', 'Grüße.pdf'),
  named('file name of the type in pieces', `name*0*=UTF-8''%E2%82%AC%20; name*1="rates.pdf"`, '€ rates.pdf'),
  withFile('file name of the disposition before that of the type',
    ['Content-Type: application/pdf; name=old.pdf', 'Content-Disposition: attachment; filename=new.pdf'], 'new.pdf'),
  mail('boundary of every character that one may have', [
    from, 'Subject: Hello', `Content-Type: multipart/mixed; boundary="${oddBoundary}"`, '',
    `--${oddBoundary}`, '', hello, `--${oddBoundary}`, 'Content-Type: image/png; name=a.png', '', 'file', `--${oddBoundary}--`,
  ], { attachments: [file('a.png', 'file')] }),
  mail('boundary behind a charset and in upper case', [
    from, 'Subject: Hello', 'CONTENT-TYPE: MULTIPART/MIXED; CHARSET="utf-8";', '\tBOUNDARY="B"', '',
    '--B', '', hello, '--B', 'Content-Type: image/png; name=a.png', '', 'file', '--B--',
  ], { attachments: [file('a.png', 'file')] }),
  mail('boundary in raw UTF-8', [
    from, 'Subject: Hello', 'Content-Type: multipart/mixed; boundary="µ"', '', '--µ', '', hello, '--µ--',
  ]),
  mail('boundary in raw Latin-1', [
    from, 'Subject: Hello', latin1('Content-Type: multipart/mixed; boundary="\xb5"'), '', latin1('--\xb5'), '', hello, latin1('--\xb5--'),
  ]),
]
