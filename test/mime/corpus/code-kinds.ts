import type { CodeMail } from './code-mails.ts'

const mail = (language: string, codes: string[], subject: string, text: string): CodeMail => ({ language, subject, text, codes })

/** Texts with a code in each of its forms, and texts with numbers that are none. */
export const CODE_KINDS: CodeMail[] = [
  // the name of the sender before the digits
  mail('en', ['61182'], 'Acme', 'FB-61182 is your confirmation code'),
  mail('en', ['730441'], 'ABC-730441 is your Acme security code', ''),
  mail('en', ['4417'], 'Sign in', 'Your code: TX-4417'),
  mail('en', ['660912'], 'Sign in', 'Acme-660912 is your sign-in code.'),
  mail('en', ['ABCD-1234'], 'Connect', 'Your device code is ABCD-1234.'),
  mail('en', ['JXQ-4TR'], 'Connect', 'Your device code is JXQ-4TR.'),
  mail('en', [], 'Invoice INV-48291', 'Thanks! INV-48291 is the code of your invoice.'),
  mail('en', ['330917'], 'Refund', 'Your code for case REF-48291 is 330917.'),

  // of letters alone, with a colon or a verb before it
  mail('en', ['XKQJTP'], 'Acme', 'Your login code: XKQJTP'),
  mail('en', ['QWHJZR'], 'Acme', 'Your access code is QWHJZR. Do not share it.'),
  mail('en', [], 'Acme', 'Your coupon code: SUMMER'),

  // of random letters: four or five capitals, after a space, in halves, to be typed on a device
  ...['Here is the Guard code you need to login to account jane:\n\nVQKXT\n\nA login was tried.', 'Your code: VQKXT', 'Your code is VQKXT.',
    'VQKXT is your login code.', 'Enter VQKXT to verify your email.'].map((text) => mail('en', ['VQKXT'], 'Acme', text)),
  ...['Use your verification code BCFGHJ to sign in.', 'BCFGHJ is your verification code', 'Use BCFGHJ to log in.']
    .map((text) => mail('en', ['BCFGHJ'], 'Acme', text)),
  ...['Copy and paste this temporary login code:\n\nbvkqz-wtrma\n', 'Your login code is bvkqz-wtrma.', 'bvkqz-wtrma is your login code.']
    .map((text) => mail('en', ['bvkqz-wtrma'], 'Acme', text)),
  mail('en', ['alosu-depim'], 'Acme', 'Your temporary login code:\n\nalosu-depim\n'),
  mail('en', ['abc-def-ghi'], 'Acme', 'Confirmation code\n\nabc-def-ghi\n'),
  ...['On your device, enter WDJB-MJHT to connect.', 'Enter the code WDJB-MJHT', 'Enter this on your device\n\nWDJB-MJHT\n',
    'WDJB-MJHT\n\nEnter this code on your TV.'].map((text) => mail('en', ['WDJB-MJHT'], 'Acme', text)),
  ...['SALE\n\nUse the code below.\n\nTEAM\n', 'Enter the code\n\nHELLO\n\nFAQ\n', 'Your code: SALE', 'Learn to code:\n\nHTML\nJAVA\nREACT\n',
    'Share your code NEVER. Your code EXPIRES soon.', 'verification code PLEASE', 'USERNAME is your code', 'Use GITHUB to log in, or HTTPS to sign in.',
    'Our code is open-source. This code is case-sensitive. The code is read-only.', 'Code:\n\nself-hosted\n\nopen-source\n',
    'Enter SALE-TODAY at checkout.'].map((text) => mail('en', [], 'Acme', text)),

  // a year, or a number, beside the code of programs
  ...['Write better code in 2026', 'Advent of Code 2026 starts soon', 'Clean code in 2026', 'Hour of Code 2026'].map((subject) => mail('en', [], subject, 'Read more.')),
  mail('en', ['2026'], 'Acme', 'Your verification code is 2026.'),
  mail('en', ['448120'], 'Acme', 'Hello,\ncode 448120'),
  ...['Here is the code you requested: 448120', 'The code we sent you is 448120.', 'Come back with code 448120', 'Kommen Sie mit dem Code 448120 zurück.',
    'Vuelve con el código 448120.', 'Hi,\n\nhere comes the code.\n\n448120\n\nBye', 'Sign-in number: 448120'].map((text) => mail('', ['448120'], 'Acme', text)),
  ...['Exited with code 4294. Failed with code 4821. Returned code 48213.', 'Unknown code 48213. Invalid code 48213.', 'Issue 48213: the code is slow.',
    'Get 4821 free credits to write code.', 'Sign in to see 4821 code samples.', '1. Code at scale — 4821 votes\n2. Code search — 1204 votes',
  ].map((text) => mail('en', [], 'Weekly', text)),
  mail('ja', ['448120'], 'Acme', 'ご注文の確認：コード 448120'),
  ...['Look at the code in line 120934 of the file.', 'Over 4500 developers review code here. The source code has 12000 lines.', 'fixes code at 481223',
    '* Improve code at 481223\n* Refactor code (#4812)\n* Remove dead code 48123ab', 'npm ERR! code 1270\nProcess 48213 exited with code 4294',
    'Traceback:\n  File "/app/code.py", line 1204, in run\nValueError: code 120400 is not valid', '  at code (vendor.js:120934)\n  at run (index.js:4821)',
    'We wrote code for 48 hours.\n\n4821\nLines of code\n\n120934\nKeystrokes', '+ const code = 120934', 'No-code 4000 apps. Code coverage 8812 of 9000.',
  ].map((text) => mail('en', [], 'Weekly', text)),
  mail('en', [], '[tracker] (ACME-48213) Login code is broken', 'Jane commented on ACME-48213'),

  // with a hash, as orders and issues have
  ...['Your code is #448120.\nOrder #771204', 'Your code:\n\n#448120\n', '#448120 is your verification code'].map((text) => mail('en', ['448120'], 'Acme', text)),
  ...['Your code is in order #448120 and issue #448120.', 'We review the code of issue #448120. Color code #448121'].map((text) => mail('en', [], 'Acme', text)),

  // a password with symbols is read as a whole; the PIN of a conference by telephone is none
  mail('en', ['Xk92!pqL'], 'Welcome', 'Temporary password: Xk92!pqL'),
  mail('en', ['Welc0me!2026'], 'Welcome', 'Your initial password is Welc0me!2026'),
  mail('en', [], 'Invitation: Planning', 'Join by phone\n+1 555-010-0199 (PIN: 553991204)'),
  mail('en', [], 'Invitation: Planning', 'Join by phone\n+1 555-010-0199 PIN: 553 991 204#'),

  // of an account, and of its number
  mail('en', ['730441'], 'Acme', 'Your Acme Account code is: 730441. Don\'t share it with anyone.'),
  mail('en', [], 'Statement', 'Your customer code is 883120. Account number: 730441.'),
  mail('de', ['730441'], 'Bank', 'Ihre mobileTAN für die Überweisung über 1.250,00 EUR auf IBAN DE89 3704 0044 0532 0130 00 lautet: 730441'),

  // in underscores, after another code, of a card
  mail('en', ['448120'], 'Acme', 'Your code: __448120__'),
  mail('en', ['731905'], 'Acme', 'Your new code is 731905. Your earlier code 118200 does not work any more.'),
  mail('de', ['339201'], 'Bank', 'Ihre TAN für das Konto DE12 **** 4567: 339 201'),
  mail('zh', ['448120'], 'Bank', '您尾号6789的卡正在支付1250.00元，动态验证码448120，请勿泄露。'),
  mail('es', ['448120'], 'Banco', 'Tu clave dinámica es 448120. Vence en 60 segundos.'),
  mail('en', ['884120'], 'Bank', 'OTP for account XX5521 is 884120. Anti-phishing code: ADA77'),
  mail('en', ['4821'], 'Acme', 'ACMEFLIX\n\nEnter this code to sign in\n\n4821\n\nThis code was requested from Spain.'),
  mail('en', [], 'Bank', 'BIC code: DEUTDEFF500, bank code 50070010'),

  // counted by a word for signing in, or the key of an issue
  mail('en', [], 'Report', 'There were 1024 login attempts and 48211 sign-ups. 4821 verified users came back.'),
  mail('en', [], 'Acme', 'ACME-48213 Login fails with an error'),

  // codes of products, customers and vouchers, and postal codes
  ...[
    'Kliendikood 44120. Tootekood 551200.', 'Asiakaskoodi 44120. Tuotekoodi 551200.', 'Ügyfélkód: 441200. Termékkód: 551200.', 'Zákaznický kód 441200.',
    'Κωδικός προϊόντος 551200. Κωδικός πελάτη 441200.', 'Cod poștal 010101. Cod produs 551200.', 'Код товару 551200. Код клієнта 441200.',
    'Пощенски код 1000. Код на продукта 551200. Код за отстъпка 882200.', 'Kod za popust 882200. Kod kupca 441200.', 'קוד מוצר 551200. מיקוד 6100001',
    'उत्पाद कोड 551200. कूपन कोड 882200.', 'Kundekode 441200. Varekode 551200.', 'کد محصول 551200. کد تخفیف 882200. کد مشتری 441200.',
    'پروڈکٹ کوڈ 551200۔ پوسٹل کوڈ 54000', 'পণ্য কোড 551200। পোস্ট কোড 1205', 'Kod diskaun 882200. Poskod 50000.', 'Prekės kodas 551200. Nuolaidos kodas 882200.',
    'Preces kods 551200. Klienta kods 441200.', 'Zľavový kód 882200.', 'Koda izdelka 551200. Koda za popust 882200.', 'Afslagkode 882200. Poskode 8001.',
    'Cod cynnyrch 551200. Cod post CF10 1AA.', 'Vörukóði 551200.', 'პროდუქტის კოდი 551200', 'Ապրանքի կոդը՝ 551200', 'Kodi i produktit 551200.',
  ].map((text) => mail('', [], 'Acme', text)),

  // a request to enter it, without a word for a code
  mail('en', ['330917'], 'Acme', 'Enter 330917 in the app to finish signing in.'),
  mail('en', ['330917'], 'Acme', 'Type 330917 to confirm your email address.'),
  mail('en', ['330917'], 'Acme', 'Please input 330917 on the sign-up page.'),
  mail('en', ['330917'], 'Acme', 'Enter the number 330917 where you signed up. It is valid for 10 minutes.'),
  mail('en', ['8841'], 'Acme', 'Use 8841 to log in to your account.'),
  mail('en', ['330917'], 'Acme', 'Enter "330 917" on the page that you left open.'),
  mail('en', ['Q7K2PX'], 'Finish signing up', 'Enter Q7K2PX on the page that you left open.'),
  mail('en', ['7104'], 'Acme', '7104\n\nEnter these digits to verify your email.'),
  mail('en', [], 'Spring sale', 'Enter SAVE2026 at checkout and get 20% off. Type 482913 at checkout for free shipping.'),
  mail('en', [], 'Your survey', 'Use 5000 points before May, or enter 94107 as your ZIP.'),
  mail('en', [], 'Writing tips', 'Type 4000 characters a day. Use 120000 words for a novel.'),

  // digits apart, on lines of their own, in frames
  mail('en', ['330917'], 'Acme', 'Your code is\n\n3\n3\n0\n9\n1\n7\n\nIt is valid for 10 minutes.'),
  mail('en', ['330917'], 'Acme', 'Your code is\n\n3\n\n3\n\n0\n\n9\n\n1\n\n7\n'),
  mail('en', ['330917'], 'Acme', 'Your code:\n- 3\n- 3\n- 0\n- 9\n- 1\n- 7'),
  mail('en', ['330917'], 'Acme', 'Your code:\n3 3 0 - 9 1 7\n'),
  mail('en', ['330917'], 'Acme', 'Your code:\n330 - 917\n'),
  mail('en', ['330917'], 'Acme', 'Your code:\n\n330\n917\n\nBye'),
  mail('en', ['A4F2B9'], 'Acme', 'Your code:\n\nA\n4\nF\n2\nB\n9\n'),
  mail('en', ['A4F2B9'], 'Acme', 'Your code: A 4 F 2 B 9'),
  mail('en', ['k7x9q2'], 'Acme', 'Your code:\n\nk\n7\nx\n9\nq\n2\n'),
  mail('en', ['33091745'], 'Acme', 'Your code:\n\n| 3 | 3 | 0 | 9 | 1 | 7 | 4 | 5 |'),
  mail('en', ['330917'], 'Acme', 'Your code:\n\n┌────────┐\n│ 330917 │\n└────────┘\n'),
  mail('en', ['330917'], 'Acme', 'Your code:\n\n+--------+\n| 330917 |\n+--------+\n'),
  mail('en', ['330917'], 'Acme', 'Your code:\n\n═══ 330917 ═══\n'),
  mail('en', ['330917'], 'Acme', 'Your code:\n\n👉 330917 👈\n'),
  mail('en', ['330917'], 'Acme', 'Your code: 3️⃣3️⃣0️⃣9️⃣1️⃣7️⃣'),
  mail('en', ['330917'], 'Acme', 'Your code: 𝟑𝟑𝟎𝟗𝟏𝟕'),
  mail('en', [], 'Rate us', 'How was the code review?\n\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n'),
  mail('en', [], 'May', 'M T W T F S S\n1 2 3 4 5 6 7\n8 9 10 11 12 13 14\n\nNo code is needed.'),

  // other lengths and lower case, directly after a label
  mail('en', ['1234'], 'Acme', 'Your code: 12 34'),
  mail('en', ['330917448'], 'Acme', 'Your verification code is 330917448.'),
  mail('en', ['3309174486'], 'Acme', 'Your verification code is:\n\n3309174486\n'),
  mail('en', ['330917448'], 'Acme', 'Your code is 330 917 448.'),
  mail('en', ['3309174486'], 'Acme', '3309174486 is your login code.'),
  mail('en', ['abc123'], 'Acme', 'Your code is abc123.'),
  mail('en', ['k7x9q2'], 'Acme', 'Your code: k7x9q2'),
  mail('en', ['qkzvbn'], 'Acme', 'Your sign-in code:\n\nqkzvbn\n\nIt works once.'),
  mail('en', [], 'Acme', 'We sent the code to 5551234567. Our code of iPhone15 runs 120min.'),
  mail('en', [], 'Acme', 'Enter the code that we sent:\n\nverify\n'),

  // words
  mail('en', ['brave-moose-river-stone'], 'Acme', 'Your temporary login code is:\n\nbrave-moose-river-stone\n'),
  mail('en', ['brave-moose-river'], 'Acme', 'Your login code is brave-moose-river. It works once.'),
  mail('en', ['brave moose river stone'], 'Acme', 'Your login code:\n\nbrave moose river stone\n\nIt works once.'),
  mail('en', ['Brave-Moose-River'], 'Acme', 'Login code: Brave-Moose-River'),
  mail('en', [], 'Acme', 'Enter the code on the page:\n\nopen the page below\n'),
  mail('en', [], 'Acme', 'Our state-of-the-art code is well-tested-code, with built-in-house-tools.'),

  // a password is no label, but where it is sent
  mail('en', [], 'Acme', 'Somebody asked to reset the password for account 55120981. The link works for 60 minutes.'),
  mail('en', [], 'Acme', 'A request to change the password of customer 55120981 was made.\n\nForgot password?\nAcme Inc., 2261 Market Street\nSan Francisco, CA 94114'),
  mail('en', [], 'Welcome', 'Thanks for joining.\n\nForgot password\n\nAcme Inc., 2261 Market Street #4667, San Francisco, CA 94114'),
  mail('en', [], 'Welcome', 'Log in | Forgot password\n\nAcme Ltd\n12 Long Road\n94114\n'),
  mail('de', [], 'Konto', 'Setzen Sie das Passwort für Konto 55120981 zurück.\n\nPasswort vergessen? Hauptstraße 12, 10115 Berlin'),
  mail('fr', [], 'Compte', 'Réinitialisez le mot de passe du compte 55120981.'),
  mail('ja', [], 'お知らせ', 'アカウント 55120981 のパスワードを再設定してください。'),
  mail('en', ['330917'], 'Acme', 'Your one-time password for account 55120981 is 330917.'),
  mail('en', ['330917'], 'Acme', 'Password: 330917'),
  mail('en', ['330917'], 'Acme', 'Your temporary password is\n\n330917\n'),
  mail('en', ['330917'], 'Reset your password', '330917\n\nThe number is valid for 10 minutes.'),
  mail('en', ['330917'], 'Acme', '330917 is your one time password.'),
  mail('de', ['330917'], 'Acme', 'Ihr Passwort lautet: 330917'),

  // other kinds of code
  ...['customer', 'client', 'promo', 'discount', 'postal', 'area', 'country', 'QR', 'bar', 'source', 'dress', 'voucher', 'coupon', 'gift',
    'referral', 'tracking', 'booking', 'product', 'error', 'zip', 'department', 'supplier', 'branch', 'tariff'].map((kind) =>
    mail('en', [], 'Your document', `The ${kind} code 48291 is on the document. ${kind} code: 771204`)),
  ...[['de', 'Kundencode: 48291'], ['de', 'Rabattcode 482913'], ['de', 'Fehlercode: 4829'], ['fr', 'Code client : 48291'], ['fr', 'Code promo 482913'],
    ['fr', "Code d'erreur 4829"], ['es', 'Código de cliente: 48291'], ['es', 'Código de error: 4829'], ['pt', 'Código do cliente: 48291'],
    ['pt', 'Código de rastreio: 482913'], ['it', 'Codice cliente: 48291'], ['it', 'Codice sconto 482913'], ['nl', 'Klantcode: 48291'],
    ['nl', 'Kortingscode 482913'], ['pl', 'Kod klienta: 48291'], ['pl', 'Kod rabatowy 482913'], ['cs', 'Kód zákazníka: 48291'], ['sv', 'Kundkod: 48291'],
    ['sv', 'Rabattkod 482913'], ['tr', 'Müşteri kodu: 48291'], ['ru', 'Код клиента: 48291'], ['ru', 'Код товара 482913'], ['ja', 'クーポンコード：482913'],
    ['zh', '优惠代码：482913'], ['ko', '쿠폰 코드: 482913'], ['vi', 'Mã giảm giá: 482913'], ['id', 'Kode promo 482913'], ['ar', 'رمز الخصم: 482913'],
  ].map(([language, text]) => mail(language!, [], 'Acme', text!)),

  // numbers beside a code
  mail('en', ['330917'], 'Sign in', 'Your sign-in code for account 55120981 is 330917.'),
  mail('en', ['330917'], 'Sign in', 'Card ends in 4242. Your code: 330917'),
  mail('en', ['330917'], 'Sign in', 'Your sign-in code\n330917\nAcme Inc, 2261 Market Street\nSan Francisco, CA 94114'),
  mail('en', ['330917'], 'Sign in', 'If you asked for this code, enter it:\n\n330917\n\nAcme Inc.\n2261 Market Street\n94114\n'),
  mail('en', ['330917'], 'Sign in', 'Order 55120981 of 2026-01-02, $49.99: confirm it with the code 330917 by 10:45.'),
  mail('en', ['330917'], 'Payment', 'Payment of 1,249.00 EUR with card •••• 4242. Approval code 330917.'),
  mail('en', ['11112222', '33334444'], 'Backup codes', 'Your backup codes:\n\n1. 11112222\n2. 33334444\n'),
  mail('en', [], 'Your trip', 'Flight AB1234, booking reference X7K9Q2, gate 4821. Booking code: X7K9Q2'),
  mail('en', [], 'Parcel', 'Tracking number 482913774\nParcel 55120981 to ZIP 94114. Call 0800 123456.'),
  mail('en', [], 'Statement', 'Your card ending in 4242 was charged 48,29. Account 48291733, customer 48291, member 7712.'),
  mail('en', [], 'Verification (code: Brave Penguin)', 'To sign in, check that this is your code:\n\nBrave Penguin\n\nVERIFY\n\nIf it is not, do nothing.'),
  ...['VERIFY', 'CONFIRM', 'CONTINUE', 'SUBMIT', 'ACTIVATE', 'APPROVE', 'VERIFICAR', 'CONFIRMER', 'CONTINUE-HERE'].map((label) =>
    mail('en', [], 'Sign in', `Your security code is on your phone.\n\n${label}\n\nAcme`)),
  mail('en', [], 'Party', 'The dress code is casual. 2261 Market Street, 94114 San Francisco, 20 May 2026, 18:30.'),
]
