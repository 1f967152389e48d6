import { expect } from 'chai'
import type { Browser, Page } from 'playwright-core'
import { launchChromium } from '../support/chromium.ts'
import { combinedForms } from '../mime/extract/combined-forms.ts'
import { hiddenKinds } from '../mime/extract/hidden-kinds.ts'
import { shownForms } from '../mime/extract/shown-forms.ts'

/** Size of the frame of a form, and frames of one screenshot. */
const [width, height, framesOfPage] = [800, 60, 70]
const formsOfTest = 5 * framesOfPage

const forms = [...shownForms, ...combinedForms, ...hiddenKinds]

describe('Hidden text of HTML: the forms of the table', function () {
  let browser: Browser
  let page: Page

  before(async () => {
    browser = await launchChromium()
    page = await browser.newPage({ viewport: { width, height: 600 } })
  })
  after(() => browser?.close())

  for (let first = 0; first < forms.length; first += formsOfTest) {
    const tested = forms.slice(first, first + formsOfTest)
    it(`are seen in Chromium exactly as the table says: ${first} to ${first + tested.length} of ${forms.length}`, async () => {
      const wrong: string[] = []
      for (let start = 0; start < tested.length; start += framesOfPage) {
        const some = tested.slice(start, start + framesOfPage)
        const seen = await seenIn(some.map(({ html }) => html))
        wrong.push(...some.filter(({ isShown }, i) => isShown !== seen[i]).map(({ name }) => name))
      }
      expect(wrong).to.deep.equal([])
    })
  }

  /**
   * Whether the text "999111" of each page is a part of its `innerText`, which also has the "7" and "8" that some pages hide within it, and
   * changes pixels when its digits become others.
   */
  async function seenIn(pages: string[]): Promise<boolean[]> {
    await page.setContent(`<style>body { margin: 0 } iframe { display: block; border: 0; width: ${width}px; height: ${height}px }</style>${'<iframe></iframe>'.repeat(pages.length)}`)
    await page.evaluate((written) => {
      for (const [i, { contentDocument }] of document.querySelectorAll('iframe').entries()) {
        contentDocument!.open()
        contentDocument!.write(written[i]!) // unlike `srcdoc`, without a doctype in quirks mode
        contentDocument!.close()
      }
    }, pages)
    const before = await page.screenshot({ fullPage: true })
    const isText = await page.evaluate(() => Array.from(document.querySelectorAll('iframe'), ({ contentDocument }) => {
      const root = contentDocument!
      const isText = root.body.innerText.replace(/[\u00ad\u034f\u200b-\u200f\u2060\ufeff\u{e0000}-\u{e007f}78\n]/gu, '').includes('999111')
      const texts = root.createTreeWalker(root.body, NodeFilter.SHOW_TEXT)
      while (texts.nextNode()) {
        const written = texts.currentNode.nodeValue!
        const isOther = written.includes('482913') || texts.currentNode.parentElement!.localName === 'style'
        if (!isOther) texts.currentNode.nodeValue = written.replaceAll('9', '0').replaceAll('1', '4')
      }
      return isText
    }))
    const after = await page.screenshot({ fullPage: true })
    const images = [before, after].map((png) => `data:image/png;base64,${png.toString('base64')}`)
    const isSeen = await page.evaluate(findDifferences, { images, width, height, count: pages.length })
    return pages.map((_, i) => isText[i]! && isSeen[i]!)
  }
})

interface Screenshots { images: string[], width: number, height: number, count: number }

/** Runs in the page. @returns of each frame, whether pixels differ visibly, in a box that is large enough for letters */
async function findDifferences({ images, width, height, count }: Screenshots): Promise<boolean[]> {
  const [before, after] = await Promise.all(images.map(async (url) => {
    const bitmap = await createImageBitmap(await (await fetch(url)).blob())
    const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!
    context.drawImage(bitmap, 0, 0)
    return context.getImageData(0, 0, bitmap.width, bitmap.height).data
  }))
  return Array.from({ length: count }, (_, frame) => {
    const box = { left: width, right: -1, top: height, bottom: -1 }
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const at = ((frame * height + y) * width + x) * 4
        if ([0, 1, 2].every((i) => Math.abs(before![at + i]! - after![at + i]!) <= 8)) continue
        box.left = Math.min(box.left, x)
        box.right = Math.max(box.right, x)
        box.top = Math.min(box.top, y)
        box.bottom = Math.max(box.bottom, y)
      }
    }
    return box.right - box.left >= 3 && box.bottom - box.top >= 3
  })
}
