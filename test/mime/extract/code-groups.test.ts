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
    ...rows('482193', ['Security code: 482193 - Flight LH401']),
  ],
  'have spaces': [
    ...rows('AB12 CD34', ['Your code is AB12 CD34', 'Your code: AB12 CD34']), ...rows('4F 9K 2M', ['Your code is 4F 9K 2M', 'Your login code:\n\n4F 9K 2M']), ...rows('KX 41 77', ['Din kod är KX 41 77']),
    ...none(['Your seats are 4F 9K 2M', 'Your code is on the page. Flight: KX 41 77', 'Redemption code: AB12 CD34']),
  ],
})
