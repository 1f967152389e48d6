import type { WrittenMail } from './read-mails.ts'

/** The parts of a mail, by its form. */
export interface Page {
  text?: string
  html?: string
}

/** Makes the parts of a mail. A form has the layout of real services, and adds the links that they put around the text. */
export const forms: Record<string, (mail: WrittenMail) => Page> = {
  text: (mail) => ({ text: textOf(mail) }),
  quoted: (mail) => ({ text: forwarded(mail) }),
  html: (mail) => ({ html: `<html><body>${paragraphs(mail, (code) => `<p><b>${code}</b></p>`)}</body></html>` }),
  both: (mail) => ({ text: textOf(mail), html: `<html><body>${paragraphs(mail, (code) => `<h2>${code}</h2>`)}</body></html>` }),
  stub: (mail) => ({ text: 'Please view this message in an HTML capable mail client.\n', html: layout(mail, bigCode) }),
  big: (mail) => ({ html: layout(mail, bigCode) }),
  button: (mail) => ({ html: layout(mail, (code) => `<table align="center"><tr><td style="background:#1a73e8;border-radius:6px;padding:12px 32px">
<span style="color:#ffffff;font-weight:bold;text-decoration:none">${code}</span></td></tr></table>`) }),
  spans: (mail) => ({ html: layout(mail, (code) => `<p style="text-align:center">${
    each(code, (char) => `<span style="font-size:28px;border-bottom:2px solid #999;margin:0 3px">${char}</span>`)}</p>`) }),
  halves: (mail) => ({ html: layout(mail, (code) => `<p><span class="half">${code.slice(0, code.length / 2)}</span><span class="half">${
    code.slice(code.length / 2)}</span></p>`) }),
  boxes: (mail) => ({ html: layout(mail, (code) => `<table role="presentation" cellspacing="6"><tr>
${each(code, (char) => `<td width="36" align="center" style="border:1px solid #ccc;font-size:24px">${char}</td>\n`)}</tr></table>`) }),
  blocks: (mail) => ({ html: layout(mail, (code) => `<div>\n${
    each(code, (char) => `  <div style="display:inline-block;padding:8px;background:#f4f4f4">${char}</div>\n`)}</div>`) }),
  spaced: (mail) => ({ text: textOf(mail, (code) => [...code].join(' ')), html: layout(mail, (code) => bigCode([...code].join('&nbsp;'))) }),
  alt: (mail) => ({ html: layout(mail, (code) => `<p align="center"><img src="https://img.${mail.host}/c/${mail.position}.png" width="220" height="60"
 alt="${code}"></p>`) }),
  rtl: (mail) => ({ html: layout(mail, (code) => `<p align="center"><bdi dir="ltr" style="font-size:30px">\u200e${code}\u200e</bdi></p>`, 'rtl') }),
  pre: (mail) => ({ html: `<html><body><pre style="font:14px monospace">${escape(textOf(mail))}</pre></body></html>` }),
  outlook: (mail) => ({ html: outlook(mail) }),
  news: (mail) => ({ html: newsletter(mail) }),
  track: (mail) => ({ text: textOf(mail), html: newsletter(mail) }),
}

type Show = (code: string) => string

/** The URLs of a mail in the order of its lines, as its form writes them. */
export const urlsOf = (mail: WrittenMail): string[] => hrefs(mail).map((href, i) => urlOf(mail, href, i))

const hrefs = ({ lines }: WrittenMail) => lines.flatMap((line) =>
  [...line.matchAll(anyLink)].map(([, , inline, , button]) => inline ?? button!))

/** `[label](/path)` within a line, or a line of `label => /path`. */
const anyLink = /\[([^\]]+)\]\(([^)\s]+)\)|^(.*?) ?=> (\S+)$/g

/** The form "track" replaces each URL by that of a counter of clicks. */
function urlOf({ host, form, position }: WrittenMail, href: string, i: number): string {
  if (form === 'track') return `https://click.${host}/ls/u${position}x${(i + 7) * 7919}`
  return href.startsWith('/') ? `https://${host}${href}` : href
}

function textOf(mail: WrittenMail, show: Show = (code) => code): string {
  const urls = urlsOf(mail)
  const lines = mail.lines.map((line) => line
    .replace(anyLink, (_, label: string | undefined, _href, button: string | undefined) => {
      const url = urls.shift()!
      if (label !== undefined) return `${label} (${url})`
      return button ? `${button}:\n${url}` : url
    })
    .replace(codeLine, (_, code: string) => `    ${show(code)}`)
    .replace(/^(.+?) \| (.+)$/, (_, first: string, rest: string) => rest.includes(' | ') ? `${first}   ${rest.replaceAll(' | ', '   ')}` : `${first}: ${rest}`))
  return `${lines.join('\n')}\n`
}

/** A line with nothing but a code: `[482913]`. */
const codeLine = /^\[([^\]]+)\]$/

const forwarded = (mail: WrittenMail): string => [
  '', '---------- Forwarded message ---------', `From: <no-reply@${mail.host}>`, 'Date: Fri, 20 Nov 2026 at 10:41', `Subject: ${mail.subject}`, '',
  textOf(mail),
].join('\n').replace(/^(?=.)/gm, '> ')

const each = (code: string, show: Show) => [...code].map((char) => show(char)).join('')
const bigCode: Show = (code) => `<div style="font-size:34px;letter-spacing:6px;font-weight:700;text-align:center">${code}</div>`
const escape = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
const buttonStyle = 'display:inline-block;background:#0b57d0;color:#ffffff;padding:12px 24px;border-radius:4px;text-decoration:none'

/** The lines of a mail as HTML: rows of tables, codes, buttons and paragraphs. */
function paragraphs(mail: WrittenMail, showCode: Show): string {
  const urls = urlsOf(mail)
  const anchor = (label: string, style = '') => `<a href="${escape(urls.shift()!)}"${style}>${label}</a>`
  const blocks: string[] = []
  let rows: string[] = []
  const endTable = () => {
    if (rows.length > 0) blocks.push(`<table border="0" cellpadding="4">${rows.join('\n')}</table>`)
    rows = []
  }
  for (const line of mail.lines) {
    const safe = escape(line)
    const code = codeLine.exec(line)?.[1]
    const button = /^(.*?) ?=> \S+$/.exec(safe)?.[1]
    if (code === undefined && button === undefined && safe.includes(' | ')) {
      rows.push(`<tr>${safe.split(' | ').map((cell) => `<td>${cell.replace(anyLink, (_, label: string) => anchor(label))}</td>`).join('')}</tr>`)
      continue
    }
    endTable()
    if (code !== undefined) blocks.push(showCode(code))
    else if (button !== undefined) blocks.push(button ? `<p>${anchor(button, ` style="${buttonStyle}"`)}</p>` : `<p>${anchor(urls[0]!)}</p>`)
    else if (safe !== '') blocks.push(`<p>${safe.replace(anyLink, (_, label: string) => anchor(label))}</p>`)
  }
  endTable()
  return blocks.join('\n')
}

/** A card of a table in a table, with a hidden first line, a logo and a footer. */
function layout(mail: WrittenMail, showCode: Show, dir = 'ltr'): string {
  const { host, language, phrases } = mail
  return `<!DOCTYPE html><html lang="${language}" dir="${dir}"><head><meta charset="utf-8"><title>${host}</title></head>
<body style="margin:0;background:#f2f2f2"><div style="display:none;max-height:0;overflow:hidden">${escape(mail.subject)} &#847; &zwnj; &nbsp;</div>
<table width="100%"><tr><td align="center"><table width="560" style="background:#ffffff" dir="${dir}">
<tr><td><a href="https://${host}/"><img src="https://img.${host}/logo.png" alt="${host.split('.')[0]}" width="120"></a></td></tr>
<tr><td style="padding:24px;font-family:Arial,sans-serif;font-size:15px">
${paragraphs(mail, showCode)}
</td></tr>
<tr><td style="font-size:11px;color:#888888"><a href="https://${host}/privacy">${phrases.get('privacy')}</a></td></tr>
</table></td></tr></table><img src="https://img.${host}/o/${mail.position}.gif" width="1" height="1" alt=""></body></html>`
}

/** A mail of a campaign: the links to the page in a browser, to the settings and to social networks stand around the text. */
function newsletter(mail: WrittenMail): string {
  const { host, language, phrases, position } = mail
  return `<html lang="${language}"><body><table width="100%"><tr><td style="font-size:10px;text-align:right">
<a href="https://${host}/m/v?c=90${position}">${phrases.get('view')}</a> | <a href="https://${host}/m/u?c=90${position}">${phrases.get('unsub')}</a></td></tr>
<tr><td><a href="https://${host}/?utm_source=mail&amp;utm_campaign=2026"><img src="https://img.${host}/h.png" alt=""></a></td></tr>
<tr><td>${paragraphs(mail, bigCode)}</td></tr>
<tr><td><a href="https://www.facebook.com/${host.split('.')[0]}"><img src="https://img.${host}/f.png" alt="Facebook"></a>
<a href="https://x.com/${host.split('.')[0]}"><img src="https://img.${host}/x.png" alt="X"></a></td></tr>
<tr><td style="font-size:10px"><a href="https://${host}/m/u?c=90${position}">${phrases.get('unsub')}</a> ·
<a href="https://${host}/privacy">${phrases.get('privacy')}</a></td></tr></table></body></html>`
}

/** A mail for Outlook: conditional comments, styles of classes, and a code in a cell of a nested table. */
function outlook(mail: WrittenMail): string {
  return `<html xmlns:v="urn:schemas-microsoft-com:vml"><head><!--[if mso]><xml><o:PixelsPerInch>96</o:PixelsPerInch></xml><![endif]-->
<style>.card{background:#fff}.code{font:700 32px/40px 'Segoe UI',sans-serif}@media (max-width:600px){.code{font-size:24px}}</style></head>
<body><!--[if mso | IE]><table width="600"><tr><td><![endif]--><div class="card">${
  paragraphs(mail, (code) => `<table><tr><td class="code"><strong>${code}</strong></td></tr></table>`)}</div><!--[if mso | IE]></td></tr></table><![endif]-->
<p class="foot"><a href="https://${mail.host}/privacy">${mail.phrases.get('privacy')}</a></p></body></html>`
}
