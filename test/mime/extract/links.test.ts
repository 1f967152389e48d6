import { expect } from 'chai'
import { findLinks } from './find-links.ts'

const a = (url: string, text: string, more = ''): string => `<a ${more} href="${url}">${text}</a>`

describe('Links of a mail', () => {
  it('have decoded URLs and the visible text', () => {
    const html = '<A HREF=" https://x.example/?a=1&amp;b=&quot;2 "><b>Go &amp;\n\n see</b> <img alt="now &gt;"></A>'
    expect(findLinks(html, ''))
      .to.deep.equal([{ url: 'https://x.example/?a=1&b="2', text: 'Go & see now >' }])
  })

  it('have a host that is broken over two lines in one piece', () => {
    const texts = (...labels: string[]) => findLinks(labels.map((label, i) => a(`https://x.example/${i}`, label)).join(''), '').map(({ text }) => text)
    expect(texts('bank<br>.example', '<div>bank</div><div>.example</div>', 'bank<wbr>.example', 'bank&shy;.example')).to.deep.equal(Array(4).fill('bank.example'))
    expect(texts('Done.<br>Sign<br>in', 'Learn .net', 'Wait<br>...')).to.deep.equal(['Done. Sign in', 'Learn .net', 'Wait ...'])
  })

  it('are only http and https', () => {
    const html = ['mailto:a@x.example', 'javascript:alert(1)', 'tel:1', 'data:text/html,x', '//x.example',
      '/path', '#a',
      'http://', 'https:// ', 'HTTPS://x.example/', 'java\nscript:x', 'ht\ntp://y.example'].map((url) =>
        a(url, 'x')).join('')
    expect(findLinks(html, '').map(({ url }) => url)).to.deep.equal(['HTTPS://x.example/',
      'http://y.example'])
  })

  it('are resolved against the base of the page', () => {
    const urls = (html: string) => findLinks(html, '').map(({ url }) => url)
    const links = ['verify?t=1', '/reset', '//y.example/', '?a=b', '#top', 'mailto:a@x.example', 'https://z.example/'].map((url) => a(url, 'x')).join('')
    expect(urls(`<head><base href="https://x.example/mail/1"></head>${links}`)).to.deep.equal(['https://x.example/mail/verify?t=1',
      'https://x.example/reset', 'https://y.example/', 'https://x.example/mail/1?a=b', 'https://z.example/'])
    expect(urls(`<base target="_blank"><base href="https://x.example/"><base href="https://q.example/">${a('a', 'x')}`)).to.deep.equal(['https://x.example/a'])
    for (const base of ['/mail', 'javascript:x', 'ftp://x.example/']) expect(urls(`<base href="${base}">${links}`), base).to.deep.equal(['https://z.example/'])
  })

  it('of a text have Chinese, Japanese and Korean letters in the host, and in parts that others follow', () => {
    const urls = (text: string) => findLinks('', text).map(({ url }) => url)
    for (const url of ['https://例え.jp/x?t=1', 'https://www.例え.jp/x', 'https://한국.kr/verify?t=1', 'https://acme.example/検証?t=1', 'https://acme.example/a/検索/b']) {
      expect(urls(`見る：${url} をクリック`), url).to.deep.equal([url])
    }
    for (const [text, url] of [
      ['https://acme.exampleをご覧ください', 'https://acme.example'], ['https://acme.example/をご覧ください。', 'https://acme.example/'],
      ['詳細はhttps://acme.example/x。次の', 'https://acme.example/x'],
    ] as const) expect(urls(text), text).to.deep.equal([url])
  })

  it('of a text part have an "&" for "&amp;"', () => {
    expect(findLinks('', 'https://x.example/?a=1&amp;b=2&#38;c=3&copy=4').map(({ url }) => url)).to.deep.equal(['https://x.example/?a=1&b=2&c=3&copy=4'])
    expect(findLinks(a('https://x.example/?a=1&amp;b=2', 'x'), 'https://x.example/?a=1&amp;b=2')).to.have.length(1)
  })

  it('are listed once, with the first text that is not empty', () => {
    const html = a('https://x.example', '<img src=logo>') + a('https://y.example', 'Y')
      + a('https://x.example', 'Visit')
    expect(findLinks(html, '')).to.deep.equal([
      { url: 'https://x.example', text: 'Visit' }, { url: 'https://y.example', text: 'Y' }])
  })

  it('are read from the text too', () => {
    const text = 'See https://x.example/a(b), <https://y.example/>. Or 请访问https://z.example/路径。'
      + '"http://q.example/?x=1!"'
    expect(findLinks('<p>nothing</p>', text).map(({ url }) => url))
      .to.deep.equal(['https://x.example/a(b)', 'https://y.example/', 'https://z.example/',
        'http://q.example/?x=1'])
    expect(findLinks(a('https://h.example/h', 'H') + a('https://y.example/', 'Y'), text).map(({ url, text: label }) => [url, label]))
      .to.deep.equal([['https://h.example/h', 'H'], ['https://y.example/', 'Y'], ['https://x.example/a(b)', 'https://x.example/a(b)'],
        ['https://z.example/', 'https://z.example/'], ['http://q.example/?x=1', 'http://q.example/?x=1']])
  })

  const first = (...links: [url: string, text: string][]): string =>
    findLinks(links.map(([url, text]) => a(url, text)).join(' '), '')[0]!.url

  for (const label of ['Verify email', 'Confirm your account', 'Reset password', 'Sign in',
    'E-Mail bestätigen', 'Jetzt aktivieren',
    'Confirmer mon adresse', 'Se connecter', 'Confirmar correo', 'Iniciar sesión', 'Verificar e-mail',
      'Conferma', 'Bevestig je adres',
    'Potwierdź adres', 'Zaloguj się', 'Ověřit e-mail', 'Bekräfta', 'Vahvista sähköposti',
      'E-postanızı doğrulayın', 'Подтвердить почту',
    'Kinnita e-posti aadress', 'Staðfesta netfang', 'Patvirtinti el. paštą', 'Apstiprināt e-pastu', 'Potrdi naslov', 'Berretsi helbidea',
    'Konfirmo emailin', 'Thibitisha barua pepe', 'Qinisekisa i-imeyili', 'Հաստատել էլ. փոստը', 'დაადასტურეთ ელფოსტა', 'মেইল নিশ্চিত করুন',
    'மின்னஞ்சலை உறுதிப்படுத்தவும்', 'تأیید ایمیل', 'Потврди адресу',
    'Підтвердити', '验证邮箱', '確認信箱', 'メールアドレスを認証', '이메일 인증', 'تأكيد البريد', 'אימות כתובת', 'Xác minh email']) {
    it(`begin with "${label}"`, () => {
      expect(first(['https://acme.example', 'Acme'], ['https://acme.example/blog', 'Our blog'],
        ['https://acme.example/x1', label],
        ['https://acme.example/u', 'Unsubscribe'])).to.equal('https://acme.example/x1')
    })
  }

  it('begin with the call to action, found by its URL and its style', () => {
    expect(first(['https://acme.example', 'Acme'], ['https://acme.example/verify?t=1',
      'Click here'])).to.contain('verify')
    expect(first(['https://acme.example', 'Acme'], ['https://acme.example/m?token=1', 'here'])).to.contain('token')
    const html = a('https://acme.example', 'Acme') + a('https://acme.example/go', 'Let me in',
      'class="btn-primary"')
    expect(findLinks(html, '')[0]!.url).to.equal('https://acme.example/go')
  })

  it('begin with the call to action of a plain text, found by the words before it', () => {
    const text = 'Home: https://acme.example\nTo confirm your address: https://acme.example/9f2\n'
      + 'Unsubscribe: https://acme.example/u'
    expect(findLinks('', text).map(({ url }) => url))
      .to.deep.equal(['https://acme.example/9f2', 'https://acme.example', 'https://acme.example/u'])
  })

  const button = (url: string, text: string): string => a(url, text, 'style="display:inline-block;padding:12px 20px;color:#06c"')
  const at = (path: string): string => `https://acme.example/${path}`

  for (const [name, html] of [
    ['a button before a link whose label is a URL without its scheme', a(at('login'), 'acme.example/login') + button(at('go'), 'Open Acme')],
    ['a button before a forgotten password', a(at('reset'), 'Forgot password') + button(at('go'), 'Yes, this is my email')],
    ['a button before an explanation', a(at('h'), 'How email verification works') + button(at('go'), 'Get started')],
    ['a button before a link to sign in', a(at('login'), 'Log in') + button(at('go'), 'Acme öffnen')],
    ['a cell with a background', `${a(at('login'), 'Log in')}<table><tr><td bgcolor="#0969da">\n${a(at('go'), 'Let me in')}</td></tr></table>`],
    ['a block with the class of a button', `${a(at('login'), 'Log in')}<div class="email-btn"><span>${a(at('go'), 'Let me in')}</span></div>`],
    ['a request before a button of a shop', button(at('shop'), 'Shop now') + a(at('go'), 'Confirm your email')],
    ['an answer before its contrary', button(at('no'), "No, it wasn't me") + button(at('go'), 'Yes, it was me')],
    ['an acceptance before a refusal', a(at('no'), 'Decline') + a(at('go'), 'Accept invitation')],
    ['a request that names the terms', a(at('terms'), 'Terms of service') + a(at('go'), 'Verify your email to accept the terms')],
    ['any link before that of a logo', `${a('https://acme.example/?utm_source=mail', '<img alt="Acme">')}${a(at('go'), 'Mikaratru nin')}`],
    ['any link before that of an image alone', `${a(at('track/1'), '<img alt="Acme logo">')}${a(at('go'), 'Take the tour')}`],
    ['a part of an image', `${a('https://acme.example/', 'Acme')}<map name="m"><area href="${at('go')}" alt="Confirm"></map>`],
    ['an image of a button', `${a('https://acme.example', '<img alt="Acme">')}${a(at('go'), '<img alt="Verify email">')}`],
    ['a URL of the text', `${a(at('login'), 'Log in')}<p>Confirm your address: ${at('go')}</p>`],
    ...['Track order', 'View your receipt', 'Pay invoice', 'Download export', 'Order status', 'View comment', 'Sendung verfolgen', 'Update payment method',
      'Manage your subscription', 'Add to calendar', 'Review your activity'].map((label) =>
      [`"${label}" after the links of a menu`, ['Shop', 'Sale', 'New in'].map((name) => a(at(name), name)).join('') + a(at('go'), label)] as const),
    ...['Open WhatsApp', 'Hurry, confirm now', 'Start questionnaire', 'Open support chat', 'Contact Jane'].map((label) =>
      [`"${label}", which begins as a word of other links`, a(at('blog'), 'Blog') + button(at('go'), label)] as const),
    ['a label of another language', a(at('x'), 'Passwort vergessen?') + button(at('go'), 'Ja, das ist meine Adresse')],
  ] as const) {
    it(`begin with the call to action: ${name}`, () => {
      expect(findLinks(html, '')[0]!.url).to.equal(at('go'))
    })
  }

  it('begin with the call to action of a social network that sent the mail itself', () => {
    const html = `${a('https://discord.com', '<img alt="Discord">')}${button('https://discord.com/verify?token=1', 'Verify Email')}${a('https://x.com/discord', 'X')}`
    expect(findLinks(html, '')[0]!.url).to.equal('https://discord.com/verify?token=1')
    expect(findLinks(a('https://discord.com/invite/acme', 'Join our Discord') + a(at('go'), 'Read the news'), '')[0]!.url).to.equal(at('go'))
  })

  it('have an apostrophe in a URL of the text', () => {
    expect(findLinks('', "Verify: https://acme.example/verify?n=O'Brien&t=1").map(({ url }) => url)).to.deep.equal(["https://acme.example/verify?n=O'Brien&t=1"])
    expect(findLinks('', "See 'https://acme.example/a'.").map(({ url }) => url)).to.deep.equal(['https://acme.example/a'])
  })

  it('have the URLs between anchors, in the order of the page, then those that only the text part has', () => {
    const html = `${a('https://acme.example/', 'Acme')}<p>Confirm: ${at('c?token=1')}</p>${a(at('u'), 'Unsubscribe')}<p>${at('last')}</p>`
    expect(findLinks(html, `${at('text')} and https://acme.example/`).map(({ url }) => url))
      .to.deep.equal([at('c?token=1'), 'https://acme.example/', at('u'), at('last'), at('text')])
  })

  it('have no URL twice that is the label of an anchor', () => {
    expect(findLinks(a('https://track.example/1', 'https://acme.example/verify'), ''))
      .to.deep.equal([{ url: 'https://track.example/1', text: 'https://acme.example/verify' }])
  })

  const base = 'https://acme.example/x'
  for (const [text, url] of [
    [`${base}_`, `${base}_`], [`${base}~`, `${base}~`], [`${base}*`, `${base}*`], [`${base}-`, `${base}-`], [`${base}=`, `${base}=`],
    [`_${base}_`, base], [`_${base}__`, `${base}_`], [`**${base}**`, base], [`*${base}_*`, `${base}_`], [`~~${base}~~`, base], [`(${base}_)`, `${base}_`],
    [`${base}.`, base], [`${base}?!`, base], [`“${base}”`, base], [`«${base}»`, base], [`${base}، ش`, base], [`${base}। धन्यवाद`, base], [`${base}։`, base], [`${base}—it works`, base], [`${base}…`, base],
    [`${base}_(b)`, `${base}_(b)`], [`(${base})`, base], [`[${base}]`, base], [`${base}?a[]`, `${base}?a[]`],
    [`[Verify](${base}_)`, `${base}_`], [`[${base}](${base})`, base],
    [`<${base}\nyz>`, `${base}yz`], [`<${base}\n  y\n  z>`, `${base}yz`], [`<URL:${base}\r\ny>`, `${base}y`],
    [`> <${base}?\n> y=1>`, `${base}?y=1`], [`> Yes\n> > <${base}?\n> > y=1\n> > &z>\n`, `${base}?y=1&z`], [`>> <${base}?\r\n>> y=1>`, `${base}?y=1`],
    [`<${base}\n> y>`, base], [`> <${base}\n> and more>`, base], [`> <${base}\n>\n> y>`, base],
    [`${base}?a=1|2`, `${base}?a=1|2`], [`${base}/1|9f2c.`, `${base}/1|9f2c`], [`${base}?a={1}`, `${base}?a={1}`], [`${base}?a=b^c`, `${base}?a=b^c`],
    [`${base}?f[a]=1&b[]=2`, `${base}?f[a]=1&b[]=2`], [`${base}?t={{token}}&u=1`, `${base}?t={{token}}&u=1`], [`${base}?a=b\`c`, `${base}?a=b\`c`],
    [`{${base}}`, base], [`\\href{${base}}{Verify}`, base], [`\\url{${base}}.`, base], [`{${base}?a={1}}`, `${base}?a={1}`], [`${base}|`, base], [`${base}{`, base],
    [`|${base}|Verify|`, base], [`[Verify|${base}]`, base], [`${base}|https://y.example`, base], ['https://acme.example|Verify', 'https://acme.example'],
    ['https://acme.example{a}', 'https://acme.example'], [`\`${base}\``, base], [`\`${base}\`,and`, base], [`Open \`${base}\`.`, base],
    [`<${base}|Verify>`, base], [`<${base}|Verify now>`, base], [`<${base}?a=1|2>`, `${base}?a=1|2`], [`<${base}?a={1}|\n2>`, `${base}?a={1}|2`], [`${base}\\n\\nThanks`, base],
    [`<${base}\nand more`, base], [`<${base}\nmore words>`, base], [`${base}\ny`, base], [`<${base}> <https://y.example/>`, base],
  ]) {
    it(`end where the URL ends: ${JSON.stringify(text)}`, () => {
      expect(findLinks('', text!)[0]!.url).to.equal(url)
    })
  }

  describe('that are buttons of a form', () => {
    const form = (more: string, content: string) => `<form ${more}>${content}</form>`
    const links = (html: string) => findLinks(html, '').map(({ url, text }) => [url, text])

    it('lead to its action', () => {
      for (const [name, html] of [
        ['without a method', form(`action="${at('go')}"`, '<button>Confirm <b>email</b></button>')],
        ['with POST', form(`method="post" action=${at('go')}`, '<input type="hidden" name="a" value="b"><button type=submit>Confirm email</button>')],
        ['a field', form(`action="${at('go')}"`, '<input type="submit" value="Confirm email">')],
        ['a picture', form(`action="${at('go')}"`, '<input type="image" src="b.png" alt="Confirm email">')],
        ['formaction', form(`action="${at('no')}"`, `<button formaction="${at('go')}">Confirm email</button>`)],
        ['formaction alone', form('', `<INPUT TYPE=SUBMIT FORMACTION="${at('go')}" value="Confirm email">`)],
        ['relative', `<base href="https://acme.example/mail/">${form('action="../go"', '<button>Confirm email</button>')}`],
      ] as const) expect(links(html), name).to.deep.equal([[at('go'), 'Confirm email']])
      expect(links(form(`action="${at('no')}"`, `<button>No</button><button formaction="${at('go')}">Confirm email</button>`)))
        .to.deep.equal([[at('go'), 'Confirm email'], [at('no'), 'No']])
    })

    it('are rated like other buttons', () => {
      expect(findLinks(`${a(at('login'), 'Log in')}${form(`action="${at('go')}"`, '<button>Mikaratru nin</button>')}`, '')[0]!.url).to.equal(at('go'))
    })

    it('do not include those that submit nothing, or that no reader sees', () => {
      for (const html of [
        form(`action="${at('go')}"`, '<button type="button">A</button><button type=reset>B</button><input value="C"><input type="reset" value="D">'),
        form('action="mailto:a@acme.example"', '<button>Confirm</button>'), form('action="javascript:x()"', '<button>Confirm</button>'),
        form('', '<button>Confirm</button>'), `<button formaction="${at('go')}">Confirm</button>`, `${form(`action="${at('go')}"`, '')}<button>Confirm</button>`,
        form(`action="${at('go')}"`, '<button style="display:none">Confirm</button>'), form(`action="${at('go')}" style="display:none"`, '<button>Confirm</button>'),
        form(`action="${at('go')}"`, '<button hidden>Confirm</button><input type=submit value=Confirm style="visibility:hidden">'),
      ]) expect(links(html), html).to.deep.equal([])
    })

    it('leave the anchors around and beside them as they are', () => {
      expect(links(form(`action="${at('go')}"`, `${a(at('a'), 'one <button>two</button> three')} <button>Send</button> ${a(at('b'), 'four')}`)))
        .to.deep.equal([[at('go'), 'Send'], [at('a'), 'one two three'], [at('b'), 'four']])
      expect(links(form(`action="${at('go')}"`, `<button>Send ${a(at('a'), 'one')}</button> ${a(at('b'), 'four</button> five')}`)).map(([url]) => url))
        .to.have.members([at('go'), at('a'), at('b')])
    })
  })

  it('otherwise keep the order of the mail', () => {
    const links = ['https://a.example/1', 'https://a.example/2', 'https://a.example/3']
    expect(findLinks(links.map((url) => a(url, 'Read')).join(''), '').map(({ url }) =>
      url)).to.deep.equal(links)
  })

  it('never begin with a link of the footer', () => {
    for (const [url, text] of [['https://acme.example/u', 'Unsubscribe'], ['https://acme.example/p',
      'Privacy policy'],
      ['https://www.facebook.com/acme', 'Verified on Facebook'], ['https://x.com/acme', 'X'],
        ['https://acme.example/u', 'Abmelden'],
      ['https://acme.example/v', 'View in browser'], ['https://acme.example/v', 'Read online'],
      ['https://acme.example/v', 'Email not displaying correctly?'], ['https://acme.example/v', 'Having trouble viewing this? Click here'], ['https://acme.example/unsubscribe?t=1', 'here'],
      ['https://acme.example/u', 'Se désabonner'], ['https://acme.example/u', '退订'],
        ['https://acme.example/u', 'Отписаться']] as const) {
      expect(first([url, text], ['https://acme.example/news', 'News']),
        text).to.equal('https://acme.example/news')
    }
  })

  for (const label of ['Open in browser', 'View this message in your browser', 'Can’t read this? Open it in your browser', 'Webansicht', 'Im Browser ansehen',
    'Online-Version', 'Version en ligne', 'Afficher dans le navigateur', 'Versión web', 'Versión en línea', 'Ver en el navegador', 'Versão web', 'Ver no navegador',
    'Visualizza nel browser', 'Versione online', 'Bekijk in browser', 'Bekijk de online versie', 'Visa i webbläsaren', 'Webbversion', 'Vis i nettleser',
    'Vis i browseren', 'Avaa selaimessa', 'Zobacz w przeglądarce', 'Wersja online', 'Zobrazit v prohlížeči', 'Megtekintés böngészőben', 'Tarayıcıda görüntüle',
    'Vezi în browser', 'Открыть в браузере', 'Посмотреть в браузере', 'Переглянути в браузері', 'Προβολή στο πρόγραμμα περιήγησης', 'ブラウザで表示',
    'ウェブで見る', '在浏览器中查看', '在瀏覽器中檢視', '브라우저에서 보기', 'عرض في المتصفح', 'הצג בדפדפן', 'ดูในเบราว์เซอร์', 'Xem trong trình duyệt', 'Lihat di peramban',
    'ब्राउज़र में देखें', 'مشاهده در مرورگر', 'Ikusi nabigatzailean', 'មើលក្នុងកម្មវិធីរុករក', 'ब्राउझरमध्ये पहा', 'Peržiūrėti naršyklėje', 'Skoða í vafra', 'Tazama kwenye kivinjari',
    'Shihe në shfletues', 'Погледни во прелистувач', 'ბრაუზერში ნახვა', 'Դիտել դիտարկիչում', 'Браузерде көру', 'Brauzerdə bax', 'Tingnan sa browser', 'Lihat dalam pelayar', 'ব্রাউজারে দেখুন',
    'உலாவியில் பார்க்க', 'బ్రౌజర్‌లో చూడండి', 'બ્રાઉઝરમાં જુઓ', 'ब्राउजरमा हेर्नुहोस्', 'ဘရောက်ဇာတွင် ကြည့်ရန်', 'براؤزر میں دیکھیں', 'Bekyk in blaaier', 'Skatīt pārlūkprogrammā', 'Vaata brauseris',
    'Погледај у прегледачу', 'Виж в браузър', 'ബ്രൗസറിൽ കാണുക', 'በአሳሽ ይመልከቱ']) {
    it(`never begin with the mail as a page: "${label}"`, () => {
      expect(first(['https://acme.example/v', label], ['https://acme.example/news', 'News'])).to.equal('https://acme.example/news')
    })
  }

  for (const hint of ['Copy this link into your browser', 'Open this link in your browser', 'Copiez ce lien dans votre navigateur', 'Kopieren Sie den Link in Ihren Browser',
    'Copia y pega este enlace en tu navegador', 'Copia il link nel browser', 'Kopieer de link naar je browser', 'Skopiuj link do przeglądarki', 'Kopiera länken till webbläsaren',
    'Скопируйте ссылку в браузер', 'リンクをブラウザに貼り付けてください', '将链接复制到浏览器']) {
    it(`begin with the link to paste: "${hint}"`, () => {
      expect(findLinks('', `Acme Inc. https://acme.example\n\n${hint}:\nhttps://acme.example/9f2`)[0]!.url).to.equal('https://acme.example/9f2')
    })
  }

  it('may have the words of a footer within a token', () => {
    for (const token of ['xk3-QfAqz81_pL', 'a9AGBw', 'Ctc/AVfaq2Rr']) {
      expect(first([at(`e3t/${token}/0`), 'Mikaratru nin'], [at('news'), 'News']), token).to.equal(at(`e3t/${token}/0`))
    }
    for (const path of ['faq', 'agb', 'de/agb/', 'faqs#a', 'help/faq.html']) expect(first([at(path), 'Mikaratru nin'], [at('news'), 'News']), path).to.equal(at('news'))
  })

  it('are limited', () => {
    const html = Array.from({ length: 500 }, (_, i) => a(`https://x.example/${i}`,
      'word '.repeat(100))).join('')
      + a(`https://x.example/${'y'.repeat(5_000)}`, 'long')
    const links = findLinks(html, '')
    expect(links).to.have.length(200)
    expect(Math.max(...links.map(({ text }) => text.length))).to.be.at.most(200)
  })
})
