/** Patterns of secrets. The captured prefix is kept, the rest is masked. `%5f` and `%3d` are percent-encoded `_` and `=`. */
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
  /(:\/\/[^\s:@/"]*:)[^\s/"]+(?=@)/g,
]

/** Masks secrets in text for the log and the audit log: paths, headers and errors may contain them. */
export const maskSecrets = (text: string): string => secrets.reduce((masked, secret) => masked.replaceAll(secret, '$1…'), text)
