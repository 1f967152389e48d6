import { expect } from 'chai'
import { rootAttributesOf } from '../../dashboard/src/features/mail-reader/html/root-tag.ts'
import { processorMs } from '../support/processor-time.ts'

const timeToRead = (html: string, times: number): number => processorMs(() => {
  for (let run = 0; run < times; run++) rootAttributesOf(html)
})

describe('Dashboard: root element of a mail', () => {
  for (const [html, attributes] of [
    ['<!doctype html><html dir=rtl lang="he"><body>', ' dir=rtl lang="he"'],
    ['<!-- <html dir=ltr> --><HTML\ndir=rtl><html lang=en>', '\ndir=rtl'],
    ['<!--><html dir=rtl>', ' dir=rtl'],
    ['<!-- <html dir=rtl>', ''],
    ['<html><body dir=rtl>', ''],
    ['<html5 dir=rtl><p>', ''],
    ['<html dir=rtl', ' dir=rtl'],
    [`<html title=">" lang = '>' dir=rtl><p>`, ` title=">" lang = '>' dir=rtl`],
    [`<html title=a"b dir=rtl>"<p>`, ' title=a"b dir=rtl'],
    ['<p>', ''],
  ] as const) {
    it(`has the attributes "${attributes}" in ${html}`, () => expect(rootAttributesOf(html)).to.equal(attributes))
  }

  for (const part of ['<html"', '<html a="', '<html a=" b=\'', '= ', '<!--\n', '<html ', '<!-->', '<html\n<!--', '<!--><html"']) {
    it(`is found in linear time among thousands of ${part}`, () => {
      timeToRead(part.repeat(5_000), 10)
      expect(timeToRead(part.repeat(50_000), 1) / (timeToRead(part.repeat(5_000), 10) + 1)).to.be.below(4)
    })
  }
})
