/** Pieces with a meaning in the formats that the functions parse, by format. */
export const atoms = {
  plain: ['a', 'Z', '0', '7', ' ', '  ', '\t', '\n', '\r\n', '\r', '\0', '-', '--', '_', '.', ',', ';', ':', '"', '\'', '\\', '/', '(', ')', '<', '>',
    '[', ']', '{', '}', '=', '?', '*', '%', '&', '#', '@', '!', '|', '~', '^', '+', '$', 'word ', 'é', 'ß', 'İ', '\u00a0', '\u00ad', '\u200b', '\u200d',
    '\u2028', '\u3000', '漢', '字 ', 'かな', '한글', 'ไทย', 'ﷺ', '\u0344', '\u0f73', '\u0301', '\u0316', '\uff9e', '😀', '\ud800', '\ufeff', '\u202e'],
  header: ['Subject: ', 'From: ', 'To: ', 'Content-Type: ', 'Content-Disposition: attachment; ', 'Content-Transfer-Encoding: ', 'X-A: ', 'a:', ':',
    '\r\n ', '\r\n\t', '\r\n', '\n', '\r\n\r\n', 'text/plain', 'text/html; ', 'multipart/mixed; ', 'boundary="b"', 'boundary=b', 'charset=utf-8', 'charset="',
    'name*0*=', 'name*1=', 'filename*=', 'filename="', '*=utf-8\'\'', '%41', '%', '=?utf-8?q?', '=?utf-8?b?', '=?', '?=', '?=\r\n =?', '=41', '_', '=?x?Q?a?=',
    '=?utf-16?b?/v8A?=', '"', '\\"', '\\', ';', '; ', 'a=b;', '(', ')', 'format=flowed; delsp=yes', 'message/rfc822', 'image/png'],
  body: ['--b\r\n', '\r\n--b\r\n', '--b--\r\n', '--', '\r\n--', '--b\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n', '--b\r\n\r\nx\r\n',
    '--b\r\nContent-Type: text/html\r\n\r\n', '--b\r\nContent-Type: image/png; name="', '--b\r\nContent-Disposition: attachment; filename=a\r\n\r\n',
    '--b\r\nContent-Type: message/rfc822\r\n\r\n', '=\r\n', '= ', '=3D', '=C3', 'YQ==', 'YWFh', '=', '>', '> ', '>>', ' \r\n', '\x1b$B', '\x1b(B', '~{', '-- \r\n'],
  html: ['<', '>', '"><a href="http://', '<a href=http://', '<a href="https://x.example/', '<a href=', '">', '</a>', '<p>', '</p>', '<div ', '<b>', '<!--', '-->', '--', '<![CDATA[', ']]>', '<style>',
    '</style>', '<script>', '</script', '<title>', '<?', '<!', '&amp;', '&', '&#', '&#x41;', '&#99999999;', '&notin', 'class="btn ', 'style="background:',
    'a=b ', 'a="', 'alt=\'', '<img alt="', '<td>', '<li>', '<br/>', '<meta charset=', '<textarea>', '<svg>', '/>', '\u034f', '\u200c'],
  url: ['http://', 'https://', 'HTTPS://', '://', 'x.example', 'www.', '.', '/', '//', '?a=', '#', '@', ':', ':80', '%41', '%CC%81', '%', 'xn--', 'xn--a-', 'ä.',
    '[::1]', '[', '127.0.0.1', '0x7f', 'localhost', 'verify', 'unsubscribe', 'facebook.com', '…', '），', '(', ')', '-', '_', '*', '\\', 'ffff:', '::'],
  code: ['482913', '1', '12', '1234 ', '123-456', '1 2 ', 'A-', 'aB1', 'AB12-CD34', 'X9Y8Z7', 'code', 'code ', 'code: ', 'Your code is ', 'order number ', 'order ',
    'OTP ', 'password', 'кода ', '验证码', '認証', 'min', ' minutes', '€', '$', '.', '. ', ',', ':', '-', '–', '/', '\n\n', '\n', ' ', '\u202f', '٤', '４', 'iPhone15',
    'ending in ', 'number', 'nr.', 'tel ', '@', 'a.b@c', 'www.', '://', '_', '=', '|', '*', '•', 'no', 'uni', 'de', 'en'],
  address: ['a@b.example', '@', '<', '>', '"', '\\"', '(', ')', ',', ';', ':', 'a', '.', '..', 'group:', 'Ada ', 'undisclosed:;', ' <a@b.example>', '=?utf-8?q?a?=', '\'',
    '[', ']', 'xn--', 'ä', 'K', '\u00ad', '。', '-'],
  report: ['Action: failed\r\n', 'Status: 5.1.1\r\n', 'Diagnostic-Code: smtp; ', 'Remote-MTA: dns; ', 'Reporting-MTA: dns;', '\r\n', '\r\n\r\n', ' ', ':', 'a', ';', '-', 'x-y'],
  signature: ['DKIM-Signature: v=1; a=rsa-sha256; d=x.example; s=s1; h=from; bh=', 'DKIM-Signature: ', 'b=', 'bh=YQ==; ', 'h=from:to:', 'h=', 'from:', ':', 'd=x.example; ',
    's=s1; ', 'c=relaxed/relaxed; ', 'c=simple; ', 'l=1; ', 'ARC-Seal: i=1; cv=none; ', 'ARC-Message-Signature: i=1; ', 'ARC-Authentication-Results: i=1; ', 'i=2; ', ';', '=',
    'From: a@x.example\r\n', 'From: ', '\r\n', '\r\n ', '\r\n\r\n', ' ', '\t', 'Authentication-Results: ', 'Received: '],
} as const satisfies Record<string, readonly string[]>

export type Grammar = keyof typeof atoms
