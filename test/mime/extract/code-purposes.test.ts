import { code, found, none, testKinds } from './code-rows.ts'
import type { Row } from './code-rows.ts'

const kinds: Record<string, Row[]> = {
  'stand behind the card, the number and the amount of a payment': found([
    `Code for the payment with card 9140 at SHOP, 48.50 EUR: ${code}`, `TAN für die Zahlung mit Karte 9140 bei LADEN über 48,50 EUR: ${code}`,
    `Ihre TAN für die Zahlung mit Visa-Karte ...9140 bei LADEN über 48,50 EUR: ${code}`, `Kod do płatności kartą 9140 w sklepie SKLEP na kwotę 48,50 PLN: ${code}`,
    `Autorizační kód k platbě kartou 9140 na částku 1 930,00 CZK: ${code}`, `Codice per il pagamento con carta 9140 di 48,50 EUR presso NEGOZIO: ${code}`,
    `Codul pentru plata cu cardul 9140 de 48,50 RON: ${code}`, `Kode til betaling med kort 9140 på 48,50 DKK: ${code}`, `Kod för betalning med kort 9140, 48,50 SEK: ${code}`,
    `Koodi maksulle kortilla 9140, 48,50 EUR: ${code}`, `Kártyás fizetés kódja (9140 kártya, 19 300 Ft): ${code}`, `Kod za plaćanje karticom 9140, iznos 48,50 EUR: ${code}`,
    `Koda za plačilo s kartico 9140, znesek 48,50 EUR: ${code}`, `Κωδικός για πληρωμή με κάρτα 9140 ποσού 48,50 EUR: ${code}`, `Код за плащане с карта 9140 на стойност 48,50 лв.: ${code}`,
    `Код для перевода 9140 р. на карту *7351: ${code}`, `Код для оплати карткою 9140 на суму 485,00 грн: ${code}`, `Ma OTP cho giao dich the 9140 so tien 1,930,000 VND la ${code}.`,
    `Mã xác thực giao dịch thẻ 9140 số tiền 1.930.000 VND: ${code}`, `קוד אימות לתשלום בכרטיס 9140 בסך 193 ש"ח: ${code}`,
    `رمز التحقق لعملية شراء بالبطاقة 9140 بمبلغ 193 ريال: ${code}`, `รหัส OTP สำหรับบัตร 9140 จำนวน 1,930.00 บาท: ${code}`, `Kode OTP untuk kartu 9140 sebesar Rp193.000: ${code}`,
    `Codul pentru operațiunea nr. 91402217 este ${code}`, `Codul pentru contul 91402217 este ${code}`, `Kód k transakci č. 91402217 na 193 Kč je ${code}`,
    `Il codice per confermare l’operazione n. 91402217 di € 48,50 è ${code}.`, `Code for your online purchase\nCard: 9140\nAmount: 193.00 SAR\nMerchant: SHOP\nCode: ${code}`,
  ]),
  'stand behind a full stop that ends no sentence': found([
    `Der Bestätigungscode zu Ihrem Antrag vom 30.09. lautet: ${code}`, `Кодът за потвърждение на плащане на стойност 48,50 лв. е ${code}.`,
    `Код за плащане на 48,50 лв. към МАГАЗИН: ${code}`, `Код на плаќање 1930 ден. е ${code}`, `Код для оплаты 1930 руб. в SHOP - ${code}`, `Код для оплаты на сумму 485 грн. - ${code}`,
    `Your code to confirm the payment of Rs. 1,930.00 to Corner Pvt. Ltd. is ${code}`, `OTP for your txn of Rs. 1,930.00 at Corner Shop Pvt. Ltd. on Acme Card no. XX9140 is ${code}`,
    `Kod płatności 48,50 zł. to ${code}`, `Doğrulama kodu (1.930,00 TL. ödeme) ${code}`, `Kod za transakciju br. 91402217: ${code}`, `Код за трансакција бр. 91402217: ${code}`,
    `Κωδικός για τη συναλλαγή αρ. 91402217: ${code}`, `Your code for the flat on 5 Elm blvd. near the park: ${code}`,
  ]),
  'stand before another number of their sentence, and in a sentence of their own': [
    ...found([`Your code for Acme is ${code}, request id: 91402217`, `Your code for Acme is ${code} (session: 91402217)`, `Votre code pour Acme est ${code}, à saisir sur: 91402217`,
      `hi jo! your code is ${code}. use it at acme. order 91402217`]),
    ...none(['Your PIN was changed. your request is 91402217.']),
  ],
  'are numbers that a reader is asked to type': [
    ['Confirma tu correo', 'Introduce los números siguientes en la app:\n\n*'], ['Confirme seu e-mail', 'Digite os números abaixo no app:\n\n*'],
    ['Conferma la tua email', 'Inserisci i numeri qui sotto nell’app:\n\n*'], ['Xác thực email', 'Vui lòng nhập dãy số dưới đây để xác thực email:\n\n*'],
    ['Sicherheitsabfrage', 'Bitte übertragen Sie die Ziffernfolge * in das vorgesehene Feld.'], ['Vahvistus', 'Näppäile asiointipalveluun tunnus *.'],
    ['Anmeldung', 'Melde dich mit * an.'], ['Anmeldung', 'Anmeldung mit * bestätigen'],
  ].flatMap(([subject, text]) => (/:\n/.test(text!) ? ['7351', code] : [code]).map((digits): Row => [digits, subject!, text!.replace('*', digits)])),
  'are numbers to enter for a password or an account': [
    'Geben Sie * ein, um Ihr Passwort zurückzusetzen.', 'Saisissez * pour réinitialiser votre mot de passe.', 'Pro obnovení hesla zadejte *.', 'Skriv in * för att återställa lösenordet.', 'Wpisz *, aby odzyskać dostęp do konta.',
    'Enter * to choose a new password.', 'Enter * to recover your account.', 'パスワードを再設定するには、*を入力してください。', '要重置密码，请输入*。', 'Şifrenizi sıfırlamak için * girin.', 'Nhập * để đặt lại mật khẩu.',
    'أدخل * لإعادة تعيين كلمة المرور.', 'Masukkan * untuk mengatur ulang kata sandi.', '비밀번호를 재설정하려면 *을 입력하세요.', 'Syötä * palauttaaksesi salasanan.', 'Въведете *, за да възстановите паролата.',
  ].flatMap((text) => ['9137', '91374'].map((digits): Row => [digits, 'Info', text.replace('*', digits)])),
  'are numbers to enter, behind verbs that say so': found([
    'For at logge ind skal du indtaste * i appen.', 'For å logge inn må du skrive inn * i appen.', 'Para iniciar sesión debes introducir * en la app.', 'Aby się zalogować, należy wpisać * w aplikacji.', 'Om in te loggen moet u * invullen.',
    'Чтобы войти, нужно ввести * в приложении.', 'Giriş yapmak için * sayısını girmeniz gerekir.', 'A bejelentkezéshez meg kell adnia a * számot.', 'Pro přihlášení je třeba zadat *.', 'Щоб увійти, потрібно ввести *.',
    'Na prihlásenie je potrebné zadať *.', 'Za prijavu morate unijeti *.', 'Sisselogimiseks tuleb sisestada *.', 'Norėdami prisijungti, turite įvesti *.', 'Για να συνδεθείτε πρέπει να πληκτρολογήσετε *.', 'Per entrar has d’introduir *.',
    'Untuk masuk, Anda perlu memasukkan *.', 'Bitte geben Sie diese Nummer ein: *',
  ].map((text) => text.replace('*', code)), 'Info'),
  'are no numbers to enter for something else': none([
    'Enter 9137 points to update your order.', 'Type 2048 in the search box of our shop.', 'You must enter 3000 words to submit.', 'Introduce 2500 palabras en el formulario', 'Geben Sie bei Fragen die Kundennummer 70448120 ein.',
    'Enter 2048 as the size to reset the filter.',
  ], 'Info'),
  'are one-time passwords beside words for a sale, and words that only begin like these': found([
    'Átutalás, kedvezményezett: Kovács Bt. Az egyszer használatos jelszó:\n\n*', 'Kedvezményezett módosításához adja meg ezt a kódot: *', 'Per il prelievo dal Conto Risparmio Più la password temporanea è *.',
    'Para ver las ofertas de empleo guardadas, escribe este código:\n\n*', 'Sådan underskrives tilbuddet med denne engangskode:\n\n*', 'Enter this code to open the deal room:\n\n*',
    'Twoje hasło tymczasowe: *\nZaloguj się, aby zobaczyć promocje szkoleń.', 'Slip gaji (termasuk potongan BPJS). Kata sandi sementara untuk membukanya: *',
  ].map((text) => text.replace('*', code)), 'Info'),
  'are words that end with a number or a mix of both': [
    ...['happy-otter-42', 'purple-otter-lamp-42', 'sparo-lemiv-7dk2'].flatMap((words): Row[] => [[words, 'Info', `Your login code: ${words}`], [words, 'Info', `Copy this login code:\n\n${words}`]]),
    ...none(['Region: us-east-1', 'The code runs on build-node-42.', 'The code in release-candidate-12 fails', 'Image: nginx-proxy-manager-2'], 'Info'),
  ],
  'are named by rarer words': found([
    'váš overovací kľúč je: *', 'váš ověřovací klíč je: *', 'Twój klucz weryfikacyjny to: *', 'Kertakäyttöinen tunnuksesi on *.', 'Vahvistustunnus ostoksellesi kortilla 9140, 48,50 EUR: *',
    'Uw verificatienummer is *', 'Ditt verifieringsnummer är *', 'Vahvistusnumerosi on *', 'Ověřovací číslo: *', 'Overovacie číslo: *', 'Проверочный номер: *', 'Doğrulama numaranız: *',
    'Αριθμός επαλήθευσης: *', 'מספר אימות: *', '驗證數字：*', '認証PIN：*', '認証用の数字：*', 'Your OTAC is *', 'Ihr Aktivierungsschlüssel lautet *',
    'FB-* is your Facebook confirmation code', 'DL-* is your Discord security alert code', 'FB-* ist dein Facebook-Bestätigungscode',
  ].map((text) => text.replace('*', code))),
  'are named by the subject alone': [
    ...['Here it is: *', 'Here you go: *', 'Hi Lea, here it is: *'].flatMap((text) => found([text.replace('*', code)], 'Your sign-in code')),
    ...found([`Hier ist er: ${code}`, `Bitte schön: ${code}`], 'Dein Login-Code'), ...found([`Le voici : ${code}`], 'Ton code de connexion'),
    ...none([`Here it is: ${code}`], 'Your order'), ...none([`Order: ${code}`, `Case ${code}`], 'Your sign-in code has changed'),
  ],
  'are that with which a reader can sign in': [
    ...found([`With ${code} you can log in now.`, `Mit ${code} kannst du dich anmelden.`, `Avec ${code} vous pouvez vous connecter.`, `Con ${code} puedes iniciar sesión.`], 'Login'),
    ...none(['In 2026 you can log in with a passkey.', 'Since build 604815 you can log in.', 'With 60481 points you can sign up for more.'], 'Login'),
  ],
  'in groups of letters and digits are found as a whole or not at all': [
    ...['Your recovery code: *', 'Your recovery code:\n\n*', 'Your verification code is *.'].flatMap((text) => ['T4M9 X2QD', 'T4M9 X2QD 7LWR', 'T4M9 X2QD 7LWR K3VH']
      .map((groups): Row => [groups, 'Acme', text.replace('*', groups)])),
    ...none(['Redemption code:\n\nT4M9 X2QD', 'Redemption code:\n\nT4M9 X2QD 7LWR K3VH', 'Your login code:\n\nT4M9W X2QDM 7LWRV']),
  ],
  'are none of an offer with an amount of money': [
    ...none([
      'Avec le code HIVER26, profitez de 15 € offerts.', 'Mit dem Code HERBST26 erhältst du 15 € geschenkt.', 'Con el código OTONO26 llévate 15 € de regalo.',
      'Com o código VERAO26 você ganha R$ 15.', 'Use o código VERAO26 no carrinho', 'Con il codice ESTATE26 hai 15 € in regalo.', 'Met de code HERFST26 krijg je € 15 cadeau.',
      'Z kodem JESIEN26 otrzymasz 15 zł w prezencie.', 'S kódem LETO26 získáte 150 Kč.', 'Cu codul VARA26 primești 15 lei.', 'По коду LETO26 подарок 500 ₽',
      'Med koden HOST26 får du 150 kr.', 'Koodilla KESA26 saat 15 € lahjaksi.', 'Get $15 with the code AUTUMN26',
    ]),
    ['', '-15 € dès 100 € avec le code HIVER26', 'Profitez-en.'],
    ...['Your code for the payment of 15 € is T4M9QX', 'Ihr Code für die Zahlung über 15 € lautet T4M9QX']
      .map((text): Row => ['T4M9QX', 'Acme', text]),
  ],
}

testKinds('One-time codes and their purposes', kinds)
