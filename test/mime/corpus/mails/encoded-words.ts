import { bWord, jane, latin1, line, mail, hello, withFrom, withSubject } from './mail.ts'
import type { CorpusMail } from './mail.ts'

const utf8 = (text: string) => Buffer.from(text)
/** The bytes of a text, cut in the middle of a character. */
const cut = (text: string, at: number) => [utf8(text).subarray(0, at), utf8(text).subarray(at)] as const
const [front, rear] = cut('Zürich, Genève', 2)
const [first, second, third] = ['44GT44KT44Gr', '44Gh44Gv5LiW', '55WM']

export const encodedWordMails: CorpusMail[] = [
  withSubject('word in Q', '=?utf-8?Q?Gr=C3=BC=C3=9Fe?=', 'Grüße'),
  withSubject('word in B', '=?utf-8?B?R3LDvMOfZQ==?=', 'Grüße'),
  withSubject('word in lower case letters', '=?utf-8?q?gr=c3=bc=c3=9fe?= =?utf-8?b?R3LDvMOfZQ==?=', 'grüßeGrüße'),
  withSubject('word with underscores and escaped spaces', '=?UTF-8?Q?one_two=20three=5Ffour?=', 'one two three_four'),
  withSubject('word with spaces, as some senders write it', '=?utf-8?Q?Gr=C3=BC=C3=9Fe aus K=C3=B6ln?=', 'Grüße aus Köln'),
  withSubject('word with question marks, as some senders write it', '=?utf-8?Q?Was_hei=C3=9Ft_das??=', 'Was heißt das?'),
  withSubject('word with a question mark in the middle', '=?utf-8?Q?Wirklich?_Sch=C3=B6n!?=', 'Wirklich? Schön!'),
  withSubject('word without padding', '=?utf-8?B?R3LDvMOfZQ?=', 'Grüße'),
  withSubject('word with a language', '=?utf-8*de?Q?Gr=C3=BC=C3=9Fe?=', 'Grüße'),
  withSubject('word of nothing', '=?utf-8?Q??= Hello', 'Hello'),
  withSubject('word of nothing behind another', '=?utf-8?Q?Gr=C3=BC=C3=9Fe?= =?utf-8?B??=', 'Grüße'),
  withSubject('word of an unknown charset', '=?x-unknown?Q?Gr=C3=BC=C3=9Fe?=', 'Grüße'),
  withSubject('word of a charset NONE', '=?NONE?B?VEVTVA=?=', 'TEST'),
  withSubject('words of one charset, white space between them dropped', '=?utf-8?Q?Gr=C3=BC?= \t =?utf-8?Q?=C3=9Fe?=', 'Grüße'),
  withSubject('words on several lines', '=?utf-8?Q?Gr=C3=BC?=\r\n =?utf-8?Q?=C3=9Fe?=\r\n\t=?utf-8?Q?_aus?=', 'Grüße aus'),
  withSubject('words without white space between them', '=?utf-8?Q?Gr=C3=BC?==?utf-8?Q?=C3=9Fe?=', 'Grüße'),
  withSubject('words beside text', 'Re: =?utf-8?Q?Gr=C3=BC=C3=9Fe?= aus =?utf-8?Q?K=C3=B6ln?= 2026', 'Re: Grüße aus Köln 2026'),
  withSubject('words that touch text', '[=?utf-8?Q?Gr=C3=BC=C3=9Fe?=]', '[Grüße]'),
  withSubject('words of two charsets', '=?iso-8859-1?Q?Gr=FC=DFe?= =?utf-8?Q?_aus_K=C3=B6ln?=', 'Grüße aus Köln'),
  withSubject('words in B and Q', '=?utf-8?B?R3LDvA==?= =?utf-8?Q?=C3=9Fe?=', 'Grüße'),
  withSubject('words that cut a character, in B', `${bWord('utf-8', front)}\r\n ${bWord('utf-8', rear)}`, 'Zürich, Genève'),
  withSubject('words that cut a character, in Q', '=?utf-8?Q?Z=C3?=\r\n =?utf-8?Q?=BCrich?=', 'Zürich'),
  withSubject('words that cut a character, in B and Q', `${bWord('utf-8', front)} =?utf-8?Q?=BCrich?=`, 'Zürich'),
  withSubject('words that cut a character of three bytes', '=?utf-8?B?5pel5pys6A==?= =?utf-8?B?qp4=?=', '日本語'),
  withSubject('words that cut an emoji', '=?utf-8?Q?Hi_=F0=9F?= =?utf-8?Q?=91=8B?=', 'Hi 👋'),
  withSubject('words that cut base64 inside of a byte', '=?utf-8?B?5pel5pys6K?= =?utf-8?B?qe?=', '日本語'),
  withSubject('words of whole characters in base64', `=?utf-8?B?${first}?= =?utf-8?B?${second}?= =?utf-8?B?${third}?=`, 'こんにちは世界'),
  withSubject('words in ISO-2022-JP, each with its shifts', '=?iso-2022-jp?B?GyRCJDMbKEI=?= =?iso-2022-jp?B?GyRCJHMbKEI=?=', 'こん'),
  withSubject('word longer than 75 characters', `=?utf-8?Q?${'Gr=C3=BC=C3=9Fe_'.repeat(30)}?=`, 'Grüße '.repeat(30).trim()),
  withSubject('word that is folded inside', '=?utf-8?Q?Gr=C3=BC=C3=9Fe_aus\r\n _K=C3=B6ln?=', 'Grüße aus Köln'),
  withSubject('word that does not end', '=?utf-8?Q?Hello', '=?utf-8?Q?Hello'),
  withSubject('word that does not end before one that does', '=?utf-8?Q?Hello =?utf-8?Q?w=C3=B6rld?=', '=?utf-8?Q?Hello wörld'),
  withSubject('word of an unknown encoding', '=?utf-8?X?Hello?=', '=?utf-8?X?Hello?='),
  withSubject('word with broken escapes', '=?utf-8?Q?100=25_=ZZ_=4?=', '100% =ZZ =4'),
  withSubject('word with characters that are no base64', '=?utf-8?B?R3L*DvM!OfZQ==?=', 'Grüße'),
  withSubject('equals signs and question marks that are no word', 'a=?b ?= c=?', 'a=?b ?= c=?'),
  withSubject('raw UTF-8', 'Grüße aus 東京', 'Grüße aus 東京'),
  withSubject('raw Latin-1', latin1('Gr\xfc\xdfe aus K\xf6ln'), 'Grüße aus Köln'),
  withSubject('raw byte inside a word', latin1('=?iso-8859-1?Q?Gr\xfc=DFe?='), 'Grüße'),
  withSubject('raw bytes of KOI8-R inside a word', line('=?koi8-r?Q?', Buffer.from('f0d2c9d7c5d4', 'hex'), '?='), 'Привет'),
  withSubject('raw UTF-8 inside a word', line('=?utf-8?Q?', utf8('Grü'), '=C3=9Fe?='), 'Grüße'),
  withSubject('raw UTF-8 beside a word', line(utf8('Grüße '), '=?utf-8?Q?aus_K=C3=B6ln?='), 'Grüße aus Köln'),

  withFrom('name in Q', '=?utf-8?Q?J=C3=B6rg_M=C3=BCller?= <joerg@example.org>', 'Jörg Müller', 'joerg@example.org'),
  withFrom('name in B', '=?utf-8?B?SsO2cmcgTcO8bGxlcg==?= <joerg@example.org>', 'Jörg Müller', 'joerg@example.org'),
  withFrom('name of several words', '=?utf-8?Q?J=C3=B6rg?= =?utf-8?Q?_M=C3=BCller?= <joerg@example.org>', 'Jörg Müller', 'joerg@example.org'),
  withFrom('name of text and a word', 'Dr. =?utf-8?Q?M=C3=BCller?= <joerg@example.org>', 'Dr. Müller', 'joerg@example.org'),
  withFrom('name with a comma in a word', '=?utf-8?Q?M=C3=BCller=2C_J=C3=B6rg?= <joerg@example.org>', 'Müller, Jörg', 'joerg@example.org'),
  withFrom('name with quotes in a word', '=?utf-8?Q?J=C3=B6rg_=22J=22_M=C3=BCller?= <joerg@example.org>', 'Jörg "J" Müller', 'joerg@example.org'),
  // RFC 2047, section 5, forbids it, but senders do it and programs decode it
  withFrom('word in quotes', '"=?utf-8?Q?J=C3=B6rg?=" <joerg@example.org>', 'Jörg', 'joerg@example.org'),
  withFrom('word that touches the address', '=?utf-8?Q?J=C3=B6rg?=<joerg@example.org>', 'Jörg', 'joerg@example.org'),
  withFrom('word in a comment', 'joerg@example.org (=?utf-8?Q?J=C3=B6rg?=)', 'Jörg', 'joerg@example.org'),
  // RFC 2047, section 5: an address must not contain encoded words
  withFrom('address in a word, which is only a name', '=?utf-8?Q?Jane_=3Cother=40example.com=3E?= <jane@example.org>', 'Jane <other@example.com>', 'jane@example.org'),
  withFrom('address in a word in place of an address', '=?utf-8?B?SmFuZSA8b3RoZXJAZXhhbXBsZS5jb20+?=', 'Jane <other@example.com>', ''),
  withFrom('raw byte inside a word of a name', line(latin1('=?iso-8859-1?Q?J\xf6rg?='), ' <joerg@example.org>'), 'Jörg', 'joerg@example.org'),
  withFrom('raw UTF-8 in a name', 'Jörg Müller <joerg@example.org>', 'Jörg Müller', 'joerg@example.org'),
  withFrom('raw Latin-1 in a name', latin1('J\xf6rg M\xfcller <joerg@example.org>'), 'Jörg Müller', 'joerg@example.org'),
  mail('words in fields that have none', ['From: Jane Doe <jane@example.org>', 'Subject: Hello', 'Message-ID: <=?utf-8?Q?a?=@example.org>', '', hello], { from: jane }),
]
