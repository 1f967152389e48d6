import { resolveRef } from '../document.ts'
import { docstring, pythonText } from './docs.ts'
import { membersOf, refName } from './shapes.ts'
import type { Context, Member, Schema } from './shapes.ts'
import { aliasOf, annotationOf, isInput, readerOf } from './types.ts'

const imports = `"""The shapes of answers and events. This file is made from the document by \`npm run generate\`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Any, Literal

from .._reader import Reader, no_members
`

/** Members that are kept out of \`repr\`, so that they reach no log. */
const secrets = new Set(['secret'])

/** Types of answers that the document writes as two joined ones. */
const joined: Record<string, [schema: string, description: string]> = {
  DomainChecked: ['DomainCreated', 'A domain after a check of its DNS records; `message` is the result of the check.'],
}

/** \`types.py\`: a dataclass for each object of answers and events, a name for each set of values, and the events by their type. */
export function typesFile(context: Context): string {
  const schemas = Object.entries(context.document.components!.schemas!) as [string, Schema][]
  const aliases = schemas.flatMap(([name, schema]) => {
    const alias = aliasOf(schema)
    return alias ? [`${name} = ${broken(alias)}\n${docstring('', pythonText(schema.description, context.operations))}`] : []
  })
  const classes = schemas
    .filter(([name, schema]) => !aliasOf(schema) && isShown(name))
    .map(([name, schema]) => dataclass(context, name, schema.description, membersOf(context, schema)))
  const added = Object.entries(joined).map(([name, [base, description]]) => {
    const schemas = context.document.components!.schemas as Record<string, Schema>
    return dataclass(context, name, description, [...membersOf(context, schemas[base]!), ...membersOf(context, schemas['Message']!)])
  })
  return `${imports}\n${aliases.join('\n\n')}\n\n\n${[...classes, ...added].join('\n\n\n')}\n\n\n${events(context).join('\n\n')}\n`
}

/**
 * Wrappers of answers, pages and inputs have no class: methods return what they hold, and take arguments. Of the bodies of deliveries,
 * `webhooks.verify` makes events.
 */
const isShown = (name: string): boolean => !/Answer$|Page$|Position$|Base$|Body$|Form[AB]$|^ErrorDetail$/.test(name) && !isInput(name)

function dataclass(context: Context, name: string, description: string | undefined, members: Member[]): string {
  const text = (value: string | undefined) => pythonText(value, context.operations)
  const lines = members.flatMap((member) => [
    `    ${member.python}: ${annotation(context, member)}${defaultOf(member)}`,
    ...member.description ? [docstring('    ', text(member.description))] : [],
  ])
  return `@dataclass(frozen=True, slots=True, kw_only=True)
class ${name}:
${docstring('    ', text(description))}

${lines.join('\n')}
    extra: Mapping[str, Any] = field(default_factory=no_members, repr=False)
    """Members that this version of the package does not know, as in JSON."""

    @classmethod
    def from_json(cls, value: Any) -> ${name}:
        """:raises ValueError: when it is not such an object"""
        reader = Reader(value, '${name}')
        return cls(
${members.map((member) => `            ${member.python}=${reading(context, member)},`).join('\n')}
            extra=reader.extra(),
        )`
}

const mayLack = ({ isNullable, isRequired }: Member) => isNullable || !isRequired

const annotation = (context: Context, member: Member) => annotationOf(context, member.schema) + (mayLack(member) ? ' | None' : '')

const defaultOf = (member: Member) => secrets.has(member.name) ? ` = field(${mayLack(member) ? 'default=None, ' : ''}repr=False)` : ''

function reading(context: Context, member: Member): string {
  const { method, argument } = readerOf(context, member.schema)
  return `reader.${mayLack(member) ? 'optional_' : ''}${method}('${member.name}'${argument ? `, ${argument}` : ''})`
}

/** The table of events, for \`events.subscribe\` and \`webhooks.verify\`. */
function events(context: Context): string[] {
  const rows = Object.entries(context.document.webhooks ?? {}).map(([event, item]) => {
    const { requestBody } = (item as { post: { requestBody: { content: Record<string, { schema: Schema }> } } }).post
    const body = resolveRef<Schema>(context.document, requestBody.content['application/json']!.schema)
    return [event, refName(body.anyOf![0]!)!] as const // that of the form `both`, which streams have too
  })
  return [`KnownEvent = (
    ${rows.map(([, name]) => name).join('\n    | ')}
)
"""The events that this version of the package knows."""`,
  `events_by_type: Mapping[str, type[KnownEvent]] = {
${rows.map(([event, name]) => `    '${event}': ${name},`).join('\n')}
}
"""The class of each event."""`]
}

const broken = (alias: string) => alias.length < 90 ? alias : alias.replace(/^Literal\[(.*)\]/, (_, values: string) => `Literal[\n    ${values.split(', ').join(',\n    ')},\n]`)
