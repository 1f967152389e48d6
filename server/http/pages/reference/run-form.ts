import type { OpenAPIV3_1 } from 'openapi-types'
import { operations } from '../../../contract/operations.gen.ts'
import type { OperationId } from '../../../contract/operations.gen.ts'
import { dialectHeader } from '../../../dialects/dialects.ts'
import { escapeHtml } from '../../../domain/system-mail.ts'
import { follow } from './members.ts'
import type { Shown } from './members.ts'

interface Runnable {
  operationId: OperationId
  summary: string
  parameters: OpenAPIV3_1.ParameterObject[]
  /** The first example of the body; undefined without a body. */
  example: unknown
}

/**
 * The form that calls an operation by the script of the page. Only the body is filled: ids of examples do not exist, and a filter of an
 * example hides what there is.
 */
export function runForm(shown: Shown, { operationId, summary, parameters, example }: Runnable): string {
  const { method, path } = operations[operationId]
  const inputs = parameters.filter(({ name }) => name !== dialectHeader).map((each) => field(shown, each))
  const body = example === undefined ? '' :
    `<label>Body<textarea name="body" rows="${Math.min(12, JSON.stringify(example, null, 2).split('\n').length)}" spellcheck="false">${escapeHtml(JSON.stringify(example, null, 2))}</textarea></label>`
  return `<details class="run" hidden><summary>Run this operation</summary>
<form data-method="${method.toUpperCase()}" data-path="${path}" data-title="${escapeHtml(summary)}" autocomplete="off">
${inputs.join('\n')}
${body}
<p class="as"></p>
<p><button type="submit">Run</button> <button type="button" class="stop" hidden>Stop</button></p>
<div class="result" role="status"></div>
</form></details>`
}

function field(shown: Shown, { name, in: place, required, schema, example }: OpenAPIV3_1.ParameterObject): string {
  const { enum: values, default: fallback } = follow<OpenAPIV3_1.SchemaObject>(shown, schema as OpenAPIV3_1.SchemaObject)
  const hint = escapeHtml(String(fallback ?? example ?? ''))
  const attributes = `name="${name}" data-in="${place}"${required ? ' required' : ''}`
  const input = values
    ? `<select ${attributes}><option></option>${values.map((value) => `<option>${escapeHtml(String(value))}</option>`).join('')}</select>`
    : `<input ${attributes} placeholder="${hint}" spellcheck="false">`
  return `<label><span><code>${name}</code> ${place === 'header' ? 'header' : place}${required ? ', required' : ''}</span>${input}</label>`
}
