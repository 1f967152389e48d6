import { openTestApp } from './support/app.ts'
describe('ZZ', function () {
  this.timeout(100000)
  it('cost', async () => {
    const m = async (name: string, f: () => Promise<unknown>) => { const c = process.cpuUsage(), t = performance.now(); await f(); const d = process.cpuUsage(c); console.log(name, `cpu ${((d.user + d.system) / 1000).toFixed(0)} wall ${(performance.now() - t).toFixed(0)}`) }
    for (let i = 0; i < 4; i++) {
      let app: any
      await m('open', async () => { app = await openTestApp() })
      await m('address', async () => { await app.newAddress() })
      await m('mail', async () => { const { address } = await app.newAddress(); await app.send({ to: address, subject: 'x', text: 'y' }); await app.settled() })
      await m('mail2', async () => { const { address } = await app.newAddress(); await app.send({ to: address, subject: 'x', text: 'y' }); await app.settled() })
      await m('close', async () => { await app[Symbol.asyncDispose]() })
    }
  })
})
