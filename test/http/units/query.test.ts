import { expect } from 'chai'
import { queryReader } from '../../../server/http/operations/validation.ts'

describe('Queries: numbers', () => {
  it('and booleans have the types of the document', () => {
    const schemas = { whole: 'integer', flag: 'boolean', text: 'string' }
    const read = queryReader(Object.entries(schemas).map(([name, type]) => ({ name, schema: { type } })))
    expect({ ...read('whole=-12&flag=true&text=5&other=5') }).to.deep.equal({ whole: -12, flag: true, text: '5', other: '5' })
    expect({ ...read('whole=0&flag=false') }).to.deep.equal({ whole: 0, flag: false })
    expect({ ...read('whole=1&whole=2&flag=TRUE') }).to.deep.equal({ whole: ['1', '2'], flag: 'TRUE' })
    expect({ ...read('flag=1&flag=true') }).to.deep.equal({ flag: ['1', 'true'] })
  })
})
