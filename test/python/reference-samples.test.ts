import { expect } from 'chai'
import { documentFor, operationsOf } from '../../openapi/document.ts'
import { openMock } from '../support/mock.ts'
import { samplesOf } from '../support/reference.ts'
import { runPython, withPython } from './python.ts'

withPython('Reference: samples of Python', () => {
  it('run, and get the answer of the operation', async () => {
    const lines: string[] = []
    await using mock = await openMock({ log: (line) => lines.push(line) })
    const page = await (await fetch(`${mock.url}/docs`)).text()
    const operations = operationsOf(documentFor('api'))
    const programs = operations.map(({ operationId, isStream }) => samplesOf(page, operationId)['python']!
      .replace('http://localhost:3000', mock.url).replace('svc_live_…', 'svc_test_mock') + (isStream ? '\n    break' : ''))
    await runPython(['-W', 'error', '-c', `import json, os\nfor program in json.loads(os.environ['PROGRAMS']): exec(program, {})`], {
      PROGRAMS: JSON.stringify(programs),
    })
    const called = lines.map((line) => line.split(' ')).map(([method, path, status]) => `${method} ${path!.replace(/\?.*/, '')} ${status}`)
    for (const { method, path, status, operationId } of operations) {
      const pattern = new RegExp(`^${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '[0-9a-f-]{36}')} ${status}$`)
      expect(called.filter((line) => pattern.test(line)), operationId).to.have.length.above(0)
    }
  })
})
