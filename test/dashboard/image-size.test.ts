import { expect } from 'chai'
import type { Page } from 'playwright-core'
import { pixelsInHeader } from '../../dashboard/src/features/mail-reader/html/image-header.ts'
import { frameOf, openDashboard, openMail } from '../support/dashboard.ts'
import type { Dashboard } from '../support/dashboard.ts'
import {
  app1, bmpOf, exifChunk, exifOf, frameHeader, gifOf, icoOf, ihdr, jpegOf, pngOf, vp8l, vp8x, webpExif, webpOf,
} from './image-files.ts'

const [large, small] = [[12_000, 12_000], [120, 120]] as const
/** Makes a browser show 12,000 pixels as 120. */
const shrinking = exifOf(small, 7_200)

/** Images of 144 million pixels whose bytes also name a smaller size. */
const largeImages: Record<string, Buffer> = {
  'JPEG': jpegOf(frameHeader(large)),
  'JPEG with an EXIF resolution': jpegOf(app1(shrinking), frameHeader(large)),
  'JPEG with an EXIF resolution, rotated': jpegOf(app1(exifOf(small, 7_200, 6)), frameHeader(large)),
  'JPEG with a thumbnail': jpegOf(app1(Buffer.concat([shrinking, jpegOf(frameHeader([10, 10]))])), frameHeader(large)),
  'JPEG with two frame headers': jpegOf(frameHeader([10, 10]), frameHeader(large)),
  'JPEG with fill bytes': jpegOf(app1(shrinking), Buffer.from([0xff, 0xff, 0xff]), frameHeader(large)),
  'PNG': pngOf(ihdr(large)),
  'PNG with an EXIF resolution': pngOf(ihdr(large), exifChunk(shrinking)),
  'WebP': webpOf(vp8l(large)),
  'WebP with an EXIF resolution': webpOf(vp8x(large, 8), vp8l(large), webpExif(shrinking)),
  'WebP with a small frame': webpOf(vp8x(large), vp8l([10, 10])),
}

/** Images that a browser shows in no other size than they declare, or not at all. */
const othersNotShown: Record<string, Buffer> = {
  'PNG with two headers': pngOf(ihdr([10, 10]), ihdr(large)),
  'WebP with a small canvas': webpOf(vp8x([10, 10]), vp8l(large)),
  'GIF': gifOf(large, large),
  'GIF with a large frame': gifOf([10, 10], [60_000, 60_000]),
  'BMP': bmpOf(large),
  'BMP from top to bottom': bmpOf([large[0], -large[1]]),
  'SVG as PNG': Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"/>'),
}

const shownImages: Record<string, Buffer> = {
  'small JPEG': jpegOf(frameHeader(small)),
  'small JPEG with EXIF data': jpegOf(app1(exifOf([60, 60], 144)), frameHeader(small)),
  'small WebP': webpOf(vp8l(small)),
}

const ids = (images: Record<string, Buffer>) => Object.keys(images).map((name) => name.replaceAll(' ', '-'))

describe('Dashboard: images whose bytes name several sizes', () => {
  let dashboard: Dashboard
  let page: Page
  before(async () => {
    dashboard = await openDashboard()
    page = await dashboard.openPage()
  })
  after(() => dashboard?.[Symbol.asyncDispose]())

  for (const [name, bytes] of Object.entries(largeImages)) {
    it(`have the pixels of their header: ${name}`, async () => {
      expect(await pixelsInHeader(new Blob([new Uint8Array(bytes)]))).to.equal(144_000_000)
    })
  }

  it('have no pixels by a header that is cut off', async () => {
    for (const bytes of Object.values(largeImages)) {
      for (let length = 0; length < 30; length++) {
        expect(await pixelsInHeader(new Blob([new Uint8Array(bytes.subarray(0, length))])), `${length}`).to.equal(0)
      }
    }
  })

  it('have the size of the largest item of an AVIF', async () => {
    const ispe = (...sides: number[]) =>
      Buffer.concat([Buffer.from('\0\0\0\x14ispe\0\0\0\0', 'latin1'), Buffer.from(Uint32Array.from(sides).buffer).swap32()])
    const file = Buffer.concat([Buffer.from('\0\0\0\x10ftypavif\0\0\0\0', 'latin1'), ispe(10, 10), ispe(12_000, 12_000), ispe(5, 5)])
    expect(await pixelsInHeader(new Blob([new Uint8Array(file)]))).to.equal(144_000_000)
  })

  for (const kind of ['attachments', 'data: URLs'] as const) {
    it(`are left out when they have too many pixels: ${kind}`, async () => {
      const images = { ...largeImages, ...othersNotShown, ...shownImages }
      const src = (bytes: Buffer, index: number) => kind === 'attachments' ? `cid:i${index}` : `data:image/png;base64,${bytes.toString('base64')}`
      await openMail(dashboard, page, {
        subject: kind,
        html: Object.values(images).map((bytes, index) => `<img alt="${ids(images)[index]}" src="${src(bytes, index)}">`).join(''),
        attachments: kind === 'attachments'
          ? Object.values(images).map((content, index) => ({ cid: `i${index}`, filename: `${index}.png`, contentType: 'image/png', content }))
          : [],
      })
      await page.waitForFunction((names) => {
        const shown = document.querySelector<HTMLIFrameElement>('iframe[title=Message]')?.contentDocument
        return shown && names.every((name) => shown.querySelector<HTMLImageElement>(`[alt=${name}]`)?.naturalWidth)
      }, ids(shownImages))
      const sized = await frameOf(page).locator('img').evaluateAll((all) =>
        all.filter((image) => (image as HTMLImageElement).naturalWidth > 0).map((image) => image.getAttribute('alt')))
      expect(sized).to.deep.equal(ids(shownImages))
    })
  }

  it('are not previewed when they have too many pixels', async () => {
    const content = largeImages['JPEG with an EXIF resolution']!
    await openMail(dashboard, page, { subject: 'Preview', text: 'x', attachments: [{ filename: 'large.jpeg', contentType: 'image/jpeg', content }] })
    await page.getByRole('button', { name: 'Preview large.jpeg' }).click()
    await page.getByText('The browser cannot show this file').waitFor()
  })

  it('are icons of 16 pixels that do not decode when the icon holds a larger image', async () => {
    const url = `data:image/png;base64,${icoOf(pngOf(ihdr(large))).toString('base64')}`
    const bitmap = await page.evaluate(async (src) => {
      const image = Object.assign(new Image(), { src })
      await new Promise((resolve) => { image.onload = image.onerror = resolve })
      return createImageBitmap(image).then(({ width }) => width, (error: Error) => error.name)
    }, url)
    expect(bitmap).to.be.oneOf([16, 'InvalidStateError'])
  })
})
