import { expect } from 'chai'
import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { nextVersion } from '../../build/next-version.ts'
import { breaksBetween, mayBreak, refusalOf } from '../../openapi/breaks.ts'
import { documentText, readDocument } from '../../openapi/document.ts'
import { keepReleased, releasedDocument, releasedDocuments } from '../../openapi/released.ts'

type Change = (document: any) => void

describe('The check `breaking`: changes of the OpenAPI document that break clients', function () {
  let folder: string
  before(() => { folder = mkdtempSync(join(tmpdir(), 'mayfly-breaking-')) })
  after(() => rmSync(folder, { recursive: true, force: true }))

  /** The breaking changes that the check reports for the current document with these changes. */
  async function breaksOf(...changes: Change[]): Promise<string[]> {
    const write = (name: string, document: unknown) => {
      const file = join(folder, name)
      writeFileSync(file, JSON.stringify(document))
      return file
    }
    const changed = structuredClone(readDocument())
    for (const change of changes) change(changed)
    return breaksBetween(write('before.json', readDocument()), write('after.json', changed))
  }

  /** Each change with the beginning of its report. */
  const breaking: Record<string, [Change, string]> = {
    'a member of an answer that is removed': [({ components }) => {
      const [, own] = components.schemas.Email.allOf
      delete own.properties.links
    }, 'Property `links`'],
    'a member of an answer that may be missing': [({ components }) => {
      components.schemas.Address.required = components.schemas.Address.required.filter((name: string) => name !== 'isActive')
    }, 'Properties of `Address` are no longer required: `isActive`'],
    'a member that a request must have': [({ components }) => {
      components.schemas.AddressCreate.required = ['alias']
    }, 'Properties of `AddressCreate` became required: `alias`'],
    'a member that a request may not have any more': [({ components }) => {
      delete components.schemas.AddressCreate.properties.expiresIn
    }, 'Property `expiresIn`'],
    'a value that a request may not have any more': [({ components }) => {
      components.schemas.WebhookEvent.enum = components.schemas.WebhookEvent.enum.filter((name: string) => name !== 'address.expired')
    }, "Enum of `WebhookEvent` lost values: 'address.expired'"],
    'a value that answers do not have any more': [({ components }) => {
      components.schemas.EmailStatus['x-extensible-enum'] = ['queued', 'sending', 'sent', 'deferred', 'failed']
    }, "`x-extensible-enum` lost values: 'captured'"],
    'a value that an error does not have any more': [({ components }) => {
      components.schemas.ErrorCode.enum = components.schemas.ErrorCode.enum.filter((name: string) => name !== 'NOT_VERIFIED')
    }, "`enum` lost values: 'NOT_VERIFIED'"],
    'another default': [({ components }) => {
      components.parameters.Limit.schema.default = 10
    }, '`default` changed from 20 to 10'],
    'a default that is gone': [({ paths }) => {
      const { get } = paths['/api/v1/emails']
      delete get.parameters.find(({ name }: { name?: string }) => name === 'limit').schema.default
    }, '`default` changed from 50 to none'],
    'a parameter that is removed': [({ paths }) => {
      const { get } = paths['/api/v1/addresses']
      get.parameters = get.parameters.filter(({ name }: { name?: string }) => name !== 'status')
    }, '`status` query parameter was removed'],
    'an operation that is removed': [({ paths }) => {
      delete paths['/api/v1/webhooks/{id}'].delete
    }, 'Operation `DELETE /api/v1/webhooks/{id}` was removed'],
  }

  it('reports removals and new requirements', async () => {
    const found = await breaksOf(...Object.values(breaking).map(([change]) => change))
    for (const [name, [, message]] of Object.entries(breaking)) {
      expect(found.filter((line) => line.startsWith(message)), `${name}, of ${found.join('\n')}`).to.not.have.length(0)
    }
  })

  for (const name of [
    'a member of an answer that is removed', 'a value that a request may not have any more', 'a value that answers do not have any more',
    'a value that an error does not have any more', 'another default',
  ]) {
    it(`reports a change on its own: ${name}`, async () => {
      const [change, message] = breaking[name]!
      const found = await breaksOf(change)
      expect(found.filter((line) => !line.startsWith(message))).to.deep.equal([])
      expect(found).to.not.have.length(0)
    })
  }

  it('accepts additions: members, values, optional parameters and operations', async () => {
    expect(await breaksOf(
      ({ components }) => { components.schemas.AddressCreate.properties.note = { type: 'string', maxLength: 10 } },
      ({ components }) => {
        components.schemas.Address.properties.note = { type: 'string' }
        components.schemas.Address.required.push('note')
      },
      ({ components }) => { components.schemas.EmailStatus['x-extensible-enum'].push('bounced') },
      ({ components }) => { components.schemas.WebhookEvent.enum.push('domain.verified') },
      ({ paths }) => { paths['/api/v1/addresses'].get.parameters.push({ name: 'q', in: 'query', schema: { type: 'string', maxLength: 10 } }) },
      ({ paths }) => { // before a parameter with a default
        paths['/api/v1/emails'].get.parameters.unshift({ name: 'r', in: 'query', schema: { type: 'integer', maximum: 10, default: 3 } })
      },
      ({ paths }) => { paths['/api/v1/copies'] = structuredClone(paths['/api/v1/analytics']) },
    )).to.deep.equal([])
  })

  it('fails, unless the next version is a major one, or a minor one while the major version is 0', () => {
    expect(refusalOf([], { released: '0.1.0', next: '0.1.0' })).to.equal(undefined)
    expect(refusalOf(['Property `a` was removed. #/b'], { released: '0.1.0', next: '0.1.1' })).to.equal([
      'openapi.yaml breaks clients of version 0.1.0:',
      '  Property `a` was removed. #/b',
      'The next version is 0.1.1. Undo the changes, or release them with a minor version: npx changeset',
    ].join('\n'))
    expect(refusalOf(['Property `a` was removed. #/b'], { released: '0.1.0', next: '0.2.0' })).to.equal(undefined)
    const allowed = [['0.1.0', '0.1.9'], ['0.1.0', '0.2.0'], ['0.1.0', '1.0.0'], ['1.2.0', '1.3.0'], ['1.2.0', '2.0.0']]
      .filter(([released, next]) => mayBreak(next!, released!))
    expect(allowed).to.deep.equal([['0.1.0', '0.2.0'], ['0.1.0', '1.0.0'], ['1.2.0', '2.0.0']])
  })

  it('compares with the last released document, which the next release replaces', () => {
    const kept = join(folder, 'released')
    keepReleased('0.1.0', kept)
    keepReleased('0.2.0', kept)
    expect(readdirSync(kept)).to.deep.equal(['openapi-0.2.0.yaml', 'openapi.classic-0.2.0.yaml'])
    expect(releasedDocuments(kept).map(({ version }) => version)).to.deep.equal(['0.2.0', '0.2.0'])
    const { file, version } = releasedDocument(kept)
    expect([version, readFileSync(file, 'utf8')]).to.deep.equal(['0.2.0', documentText()])
    expect(releasedDocument().version).to.match(/^\d+\.\d+\.\d+$/)
  })

  it('computes the next version from the changesets', () => {
    const root = join(folder, 'checkout')
    mkdirSync(join(root, '.changeset'), { recursive: true })
    writeFileSync(join(root, 'package.json'), '{ "version": "0.1.0" }')
    const ask = (name: string, bump: string) => writeFileSync(join(root, '.changeset', `${name}.md`), `---\n"@mayfly-mail/sdk": ${bump}\n---\n\nmajor\n`)
    writeFileSync(join(root, '.changeset/README.md'), 'Of "@mayfly-mail/sdk": major\n')
    expect(nextVersion(root)).to.equal('0.1.0')
    ask('one', 'patch')
    expect(nextVersion(root)).to.equal('0.1.1')
    ask('two', 'minor')
    expect(nextVersion(root)).to.equal('0.2.0')
    ask('three', 'patch')
    expect(nextVersion(root)).to.equal('0.2.0')
  })
})
