import { none, testKinds } from './code-rows.ts'
import type { Row } from './code-rows.ts'

const rows = (code: string, texts: string[]): Row[] => texts.map((text) => [code, 'Acme', text])

testKinds('One-time codes in groups', {
  'have hyphens with white space around them': [
    ...rows('7QF2-M8KA-43PL', [
      'Your code is 7QF2 - M8KA - 43PL', 'Your code is 7QF2 – M8KA – 43PL.', 'Ihr Freischaltcode lautet:\n\n7QF2\t-\tM8KA\t-\t43PL\n', 'Your access code:\n7QF2\u00a0-\u00a0M8KA\u00a0-\u00a043PL',
    ]),
    ...rows('5F2C-9B41', ['Security code: 5F2C - 9B41', 'Security code: 5F2C\u00a0-\u00a09B41 (valid for 5 minutes)']),
    ...rows('KVQ4-WXTB', ['Your security code: KVQ4 - WXTB']),
    ...rows('A7F2', ['Your security code: A7F2 - Acme', 'Your security code: A7F2 - ACME', 'Your security code: A7F2 - 10 minutes']),
    ...rows('482193', ['Security code: 482193 - Flight LH401', 'Security code: 482193 - 4821 Elm']),
  ],
  'have spaces': [
    ...rows('AB12 CD34', ['Your code is AB12 CD34', 'Your code: AB12 CD34']), ...rows('4F 9K 2M', ['Your code is 4F 9K 2M', 'Your login code:\n\n4F 9K 2M']), ...rows('KX 41 77', ['Din kod är KX 41 77']),
    ...none(['Your seats are 4F 9K 2M', 'Your code is on the page. Flight: KX 41 77', 'Redemption code: AB12 CD34']),
  ],
  'of digits may be uneven': [
    ...rows('503318', ['Security code: 50 3318', 'Security code: 5033 18', 'Your login code is 50 3318.']),
    ...none(['Code of the door is on page 50 3318', 'Sign in at our office, 12 3456 Elm', 'Call 50 3318']),
  ],
  'of digits name a shelf': [
    ...rows('8-2-4471', ['取件码：8-2-4471', '【驿站】凭取件码8-2-4471至南门店取件', '取件码 8-2-4471']),
    ...none(['验证码 11-28-2026 发送', 'Code sent 8-2-2026', '电话：8-2-4471']),
  ],
})
