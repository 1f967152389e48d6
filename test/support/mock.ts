import { openMock as open } from '../../cli/mock/open-mock.ts'
import type { DialectName } from '../../server/dialects/dialects.ts'

export interface Mock extends AsyncDisposable {
  url: string
}

interface MockOptions {
  prefer?: string
  dialect?: DialectName
  now?: () => number
  log?: (line: string) => void
}

/** `mayfly mock` on a free port of 127.0.0.1, in this process. */
export async function openMock(options: MockOptions = {}): Promise<Mock> {
  const { url, close } = await open({ host: '127.0.0.1', port: 0, ...options })
  return { url, [Symbol.asyncDispose]: close }
}
