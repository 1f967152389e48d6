/** Where a secret begins, which is kept, and the secret, which is not. `%5f` is the underscore of a URL. */
const secrets = [
  // API keys
  /(svc(?:_|%5f)(?:live|test)(?:_|%5f))[\w%+=-]+/gi,
  // secrets of webhooks, in base64
  /(whsec(?:_|%5f))[\w%+/=-]+/gi,
  // tokens of verification links, in a query or alone
  /(\btoken=)[\w%-]+/gi,
  /(?<![\w-])()[\w-]{43}(?![\w-])/g,
  // the signature of a return path
  /(\bbounce(?:=|%3d)[0-9a-f]{32}(?:=|%3d)[0-9a-z]{1,6}(?:=|%3d))[0-9a-f]+/gi,
  // passwords in URLs
  /(:\/\/[^\s:@/"]*:)[^\s@/"]+(?=@)/g,
]

/** The text without the secrets that somebody put in the wrong place, or that an error quotes. */
export const maskSecrets = (text: string): string => secrets.reduce((masked, secret) => masked.replaceAll(secret, '$1…'), text)
