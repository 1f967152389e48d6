import { expect } from 'chai'
import { brotliDecompressSync } from 'node:zlib'
import { rawRequest } from '../support/raw-request.ts'

/** Expects the page of the dashboard, with its scripts and styles as they were compressed by the build. */
export async function expectDashboard(url: string): Promise<void> {
  const { headers, text } = await rawRequest(url, { path: '/mail', headers: { accept: 'text/html' } })
  expect(headers['content-security-policy']).to.include("script-src 'self';")
  const files = [...text.matchAll(/(?:src|href)="(\/assets\/[^"]+\.(?:js|css))"/g)].map(([, path]) => path!)
  expect(files.map((path) => path.split('.').at(-1))).to.include.members(['js', 'css'])
  for (const path of files) {
    const file = await rawRequest(url, { path, headers: { 'accept-encoding': 'br' } })
    expect(file.headers).to.include({ 'content-encoding': 'br', 'cache-control': 'public, max-age=31536000, immutable' })
    expect(brotliDecompressSync(file.bytes).length, path).to.be.above(100)
  }
}
