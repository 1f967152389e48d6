import { expect } from 'chai'
import { findCodes } from '../../../server/mime/extract/codes.ts'
import { branchCodes, inSubject, isCode, twoCodes } from './code-labels.ts'
import { none, testKinds } from './code-rows.ts'
import type { Row } from './code-rows.ts'

const rowsOf = (sentences: Map<string, string[]>): [tag: string, text: string][] =>
  [...sentences].flatMap(([tag, texts]) => texts.map((text): [string, string] => [tag, text]))
const codesOf = (text: string) => findCodes('Info', text).join()

describe('Codes by their labels', () => {
  for (const code of ['604815', '739 016', '7306']) {
    it(`are in "your code is ${code}", of six kinds in each language`, () => {
      const wrong = rowsOf(isCode).filter(([, text]) => codesOf(text.replace('*', code)) !== code.replace(' ', ''))
      expect(wrong).to.deep.equal([])
    })
  }

  const layouts = {
    colon: (label: string, code: string) => `${label}: ${code}\n`,
    lines: (label: string, code: string) => `${label}:\n\n${code}\n\n`,
    cells: (label: string, code: string) => `${label}\t${code}\n`,
  }
  for (const [layout, write] of Object.entries(layouts)) {
    it(`are both of a change, in the order of the mail, in each language (${layout})`, () => {
      for (const [first, second] of [['773018', '194822'], ['7730', '1948'], ['194 822', '773 018']] as const) {
        const wrong = rowsOf(twoCodes).filter(([, labels]) => {
          const [before, after] = labels.split(' / ') as [string, string]
          return codesOf(write(before, first) + write(after, second)) !== `${first},${second}`.replaceAll(' ', '')
        })
        expect(wrong).to.deep.equal([])
      }
    })
  }

  it('keep the order of the mail, unless the words of a label say more', () => {
    expect(codesOf('Code for the previous mail address: 604815\nCode for the new one: 771204')).to.equal('604815,771204')
    expect(codesOf('The code for the new address that you gave us today is 604815.\nThe code for the old one is 771204.')).to.equal('604815,771204')
    expect(codesOf('Kod för den gamla adressen: K7XQ2M\nKod för den nya adressen: M2PD7X')).to.equal('K7XQ2M,M2PD7X')
    expect(codesOf('Backup code: 604815\nVerification code: 771204')).to.equal('771204,604815')
  })

  it('are those of the subject, where the body asks for its digits or its code, in each language', () => {
    for (const code of ['773018', '93471', '7306', '773 018']) {
      for (const subject of [`${code} – Pebble`, `Pebble: ${code}`, `${code} is your Pebble login`, `Your Pebble login: ${code}`]) {
        const wrong = rowsOf(inSubject).filter(([, text]) => findCodes(subject, text).join() !== code.replace(' ', ''))
        expect(wrong, subject).to.deep.equal([])
      }
    }
    expect(findCodes('773018 ist deine Anmeldung bei Kiesel', 'Gib die Ziffern aus dem Betreff ein.')).to.deep.equal(['773018'])
    expect(findCodes('773018 : votre connexion à Galet', 'Saisissez les chiffres de l’objet pour continuer.')).to.deep.equal(['773018'])
  })

  it('have an ending of Azerbaijani', () => {
    expect(codesOf('Giriş kodunuz 604815-dir.')).to.equal('604815')
  })
})

testKinds('Codes by their labels', {
  'are none of a subject whose number the body names otherwise': ([
    ['Case 93471', 'Enter the digits from the subject line to see your case.'], ['[93471] Broken lamp', 'Please leave the code in the subject when you reply.'],
    ['93471 is your Pebble ticket', 'See you on Friday.'], ['Rechnung 93471', 'Bitte geben Sie im Betreff die Rechnungsnummer an.'], ['Bericht 93471', 'Der Betreff nennt die Nummer des Berichts.'],
    ['93471 is your Pebble login', 'Keep it, you need it on each visit.'], ['Build 93471 is subject to review', 'The code of this change is subject to review.'],
  ] as const).map(([subject, text]): Row => ['', subject, text]),
  'are none of a branch': none(branchCodes.flatMap((label) => [`${label}: 604815`, `${label} 604815`]), 'Info'),
  'are none of a thing that is old or new': none([
    'Old branch code: 4812\nNew branch code: 4813', 'Código de cliente anterior: 4417\nCódigo de cliente nuevo: 5521', 'Old IFSC code 604815, new IFSC code 604816', 'Alter Kundencode: 604815\nNeuer Kundencode: 604816',
    'Code de l’ancienne agence : 604815\nCode de la nouvelle agence : 604816', 'Старый код филиала: 604815\nНовый код филиала: 604816', 'Vecchio codice fornitore: 604815\nNuovo codice fornitore: 604816',
    'Area code of the new phone: 4812', 'Postal code of the new address: 604815', 'Código de área del teléfono nuevo: 4812', 'Código postal de la dirección nueva: 604815', '旧店番コード: 4812\n新店番コード: 4813',
  ], 'Info'),
})
