/**
 * Opens the shop: npm run node -- examples/sign-up/main.ts
 *
 * SHOP_PORT is the port of the shop; MAYFLY_SMTP_HOST and MAYFLY_SMTP_PORT name the server for its mail.
 */
import '../as-program.ts'
import { openShop } from './shop.ts'

const { SHOP_PORT = '4020', MAYFLY_SMTP_HOST: host = '127.0.0.1', MAYFLY_SMTP_PORT: port = '2525' } = process.env
const shop = await openShop({ port: Number(SHOP_PORT), smtp: { host, port: Number(port) } })
console.log(`The shop is open: ${shop.url}`)
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void shop.close())
