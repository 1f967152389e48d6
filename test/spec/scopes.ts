import { expect } from 'chai'
import { allScopes, bearer, exampleRequest, operations } from '../contract/requests.ts'
import { openTestApp } from '../support/app.ts'
import type { TestApp } from '../support/app.ts'
import { rawRequest } from '../support/raw-request.ts'
import { rows } from './rows.ts'
import type { Row } from './rows.ts'
import { eachRow } from './table.ts'
import type { SpecTable } from './table.ts'

export const scopes: SpecTable<Row<'scope'>, TestApp> = {
  open: openTestApp,
  proofs: eachRow(rows.scope, (scope) => async (app) => {
    const alone = await app.newKey({ scopes: [scope] })
    const others = await app.newKey({ scopes: allScopes.filter((other) => other !== scope) })
    const granted = operations.filter((operation) => operation.scope === scope)
    expect(granted).to.not.have.length(0)
    for (const operation of granted) {
      const admitted = await rawRequest(app.url, exampleRequest(operation, bearer(alone)))
      expect(admitted.status, `${operation.operationId}: ${admitted.text}`).to.not.be.oneOf([401, 403])
      const refused = await rawRequest(app.url, exampleRequest(operation, bearer(others)))
      expect([refused.status, refused.json], operation.operationId).to.deep.equal([403, {
        error: `This key lacks the scope ${scope}. Create a key that has it.`, code: 'MISSING_SCOPE',
      }])
    }
  }),
}
