import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

/** Replaced by the server in each answer: the nonce with which the Content Security Policy allows style elements. */
const nonce = '__CSP_NONCE__'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  html: { cspNonce: nonce },
  build: {
    target: 'es2023',
    assetsInlineLimit: 0, // the policy allows no data: URLs but of images, and inlined files would be sent again with each version
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    license: { fileName: 'licences.md' },
  },
})
