import { expect } from 'chai'
import { classicDocumentOf } from '../../openapi/classic.ts'
import { readDocument } from '../../openapi/document.ts'
import { contracts } from './requests.ts'

const [primary, classic] = contracts

describe('OpenAPI document: the classic dialect', () => {
  it('has the same operations and statuses', () => {
    const shapeOf = ({ operations }: NonNullable<typeof primary>) => operations.map(({ operationId, method, path, scope, definition }) =>
      ({ operationId, method, path, scope, statuses: Object.keys(definition.responses!) }))
    expect(shapeOf(classic!)).to.deep.equal(shapeOf(primary!))
  })

  it('is not made when the overlay names a part that the document does not have', async () => {
    const document = readDocument()
    delete document.components!.schemas!['AuditLog']
    const error = await classicDocumentOf(document).catch((thrown: unknown) => thrown)
    expect(error).to.be.an.instanceOf(Error).with.property('message').that.includes('$.components.schemas.AuditLog')
  })
})
