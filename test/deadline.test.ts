import { getEventListeners, once } from 'node:events'
import { expect } from 'chai'
import { onAbort, openDeadline, pause, unlessAborted, waitAtMost, withDeadline } from '../server/deadline.ts'

describe('Deadlines', () => {
  const never = new Promise<never>(() => {})

  it('abort their signal with the given reason when the time is over', async () => {
    const work = withDeadline({ timeoutMs: 1, timeoutReason: 'too late' }, (signal) => unlessAborted(never, signal))
    expect(await work.catch((reason: unknown) => reason)).to.equal('too late')
  })

  it('abort their signal when a given signal aborts, or has aborted before', async () => {
    const stopped = AbortSignal.abort()
    const work = withDeadline({ timeoutMs: 60_000, signal: stopped, abortReason: 'stopped' }, (signal) => unlessAborted(never, signal))
    expect(await work.catch((reason: unknown) => reason)).to.equal('stopped')
  })

  it('do not abort their signal after their end', async () => {
    const stopping = new AbortController()
    const { signal, end } = openDeadline({ timeoutMs: 1, signal: stopping.signal })
    end()
    stopping.abort()
    await once(openDeadline({ timeoutMs: 2 }).signal, 'abort')
    expect(signal.aborted).to.equal(false)
  })

  it('wait for a promise until it is settled, or the time is over', async () => {
    expect(await waitAtMost(1, never)).to.equal(undefined)
    expect(await waitAtMost(60_000, Promise.resolve('value'))).to.equal('value')
    const failed = waitAtMost(60_000, Promise.reject(new Error('failed')))
    expect(await failed.catch((error: Error) => error.message)).to.equal('failed')
  })

  it('cost a signal one listener, however many wait for it, and call those that have not cancelled', () => {
    const closing = new AbortController()
    const called: number[] = []
    for (let i = 0; i < 3; i++) onAbort(closing.signal, () => called.push(-1))()
    expect(getEventListeners(closing.signal, 'abort')).to.have.length(0)
    const cancel = Array.from({ length: 100 }, (_, i) => onAbort(closing.signal, () => called.push(i)))
    expect(getEventListeners(closing.signal, 'abort')).to.have.length(1)
    for (const each of cancel.slice(2)) each()
    closing.abort()
    expect(called).to.deep.equal([0, 1])
    onAbort(closing.signal, () => called.push(2))
    expect(called).to.deep.equal([0, 1, 2])
  })

  it('end a pause early when its signal aborts', async () => {
    await pause(60_000, AbortSignal.abort())
  })
})
