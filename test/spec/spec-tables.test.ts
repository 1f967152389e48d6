import { expect } from 'chai'
import { readFileSync } from 'node:fs'
import type { OpenAPIV3_1 } from 'openapi-types'
import { allScopes, document, operations } from '../contract/requests.ts'
import { endpoints, endpointsOfSpec } from './endpoints.ts'
import { conditions, errorCodes } from './errors.ts'
import { attempts, events } from './events.ts'
import { limits } from './limits.ts'
import { rows } from './rows.ts'
import type { Row, Rows } from './rows.ts'
import { scopes } from './scopes.ts'
import type { SpecTable } from './table.ts'
import { transitions } from './transitions.ts'
import { variants } from './variants.ts'

const tables: { [Name in keyof Rows]: SpecTable<Row<Name>, any> } = {
  'endpoint': endpoints, 'scope': scopes, 'event': events, 'attempt': attempts, 'limit': limits, 'condition': conditions,
  'error code': errorCodes, 'transition': transitions, 'variant': variants,
}

describe('Specification of the API', () => {
  for (const [name, { open, proofs }] of Object.entries(tables)) {
    describe(name, () => {
      let world: AsyncDisposable
      before(async () => { world = await open() })
      after(() => world[Symbol.asyncDispose]())

      for (const [row, proof] of Object.entries(proofs)) {
        if (typeof proof === 'function') it(row, () => proof(world))
        else it(`${row} (${proof.file})`, () => expect(titlesOf(proof.file).filter((title) => title.startsWith(row))).to.have.length(1))
      }
    })
  }

  describe('rows: each has a test', () => {
    for (const [name, named] of Object.entries(rows)) {
      it(name, () => {
        expect(named).to.have.length(new Set(named).size)
        expect(Object.keys(tables[name as keyof Rows].proofs)).to.have.members(named)
      })
    }
  })

  describe('agreement with the OpenAPI document', () => {
    it('has the same endpoints and scopes, except extensions', () => {
      const described = operations.filter(({ definition }) => !('x-extension' in definition))
        .map(({ method, path, scope }) => [`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, scope])
      expect(described).to.have.deep.members(Object.entries(endpointsOfSpec).map(([row, { scope }]) => [row, scope]))
    })

    it('has the same scopes, and one for keys that make keys', () => expect(allScopes).to.have.members([...rows.scope, 'keys:manage']))
    it('has the same events', () => expect(enumOf('WebhookEvent')).to.have.members(rows.event))
    it('has the same error codes', () => expect(enumOf('ErrorCode')).to.have.members(rows['error code'].map((row) => row.split(' ')[1])))
  })
})

const enumOf = (schema: string) => (document.components!.schemas![schema] as OpenAPIV3_1.SchemaObject).enum as string[]

/** The titles in a test's source, without evaluating templates. */
const titlesOf = (file: string) => readFileSync(new URL(`../${file}`, import.meta.url), 'utf8')
  .matchAll(/^ *(?:describe|it)\((['"`])(.*?)\1, /gm).map(([, , title]) => title!).toArray()
