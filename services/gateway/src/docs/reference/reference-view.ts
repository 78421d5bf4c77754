import type { Problem } from '@cofre/api/problem'
import { exampleOf, nameOfRef } from '../openapi-examples'
import type { JsonSchema } from '../openapi-schemas'
import { slugOf } from '../openapi-tags'
import { contentOf, curlOf } from './curl'
import { descriptionOf, membersOf, resolve, type Member } from './members'

type Example = { name: string; text: string }
type ResponseView = { status: string; description: string; members: Member[]; examples: Example[] }
export type OperationView = {
  id: string
  method: string
  path: string
  summary: string
  description: string
  parameters: Member[]
  hasBody: boolean
  bodyDescription: string
  body: Member[]
  bodyRequired: boolean
  curl: string
  responses: ResponseView[]
}
export type GroupView = { name: string; slug: string; operations: OperationView[] }

type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description?: string
  security: Record<string, string[]>[]
  parameters?: JsonSchema[]
  requestBody?: JsonSchema
  responses: Record<string, JsonSchema>
}
export type ApiDocument = {
  paths: Record<string, Record<string, Operation>>
  tags: { name: string }[]
  components: Record<'schemas' | 'parameters' | 'responses', Record<string, JsonSchema>>
}

/** Returns every operation once, by tag, in the order of the document. */
export function viewOf(document: ApiDocument, baseUrl: string): GroupView[] {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      view: operationView(document, { baseUrl, method: method.toUpperCase(), path }, operation),
    })),
  )
  return document.tags
    .map(({ name }) => ({
      name,
      slug: slugOf(name),
      operations: all.filter(({ tag }) => tag === name).map(({ view }) => view),
    }))
    .filter(({ operations }) => operations.length > 0)
}

type At = { baseUrl: string; method: string; path: string }

function operationView({ components }: ApiDocument, at: At, operation: Operation): OperationView {
  const { schemas } = components
  const { schema } = contentOf(operation.requestBody)
  const parameters = (operation.parameters ?? []).map((each) => parameterOf(each, components.parameters))
  const isPublic = operation.security.length === 0
  const call = {
    ...at,
    isPublic,
    body: schema && exampleOf(schema, schemas),
    file: fileOf(operation.requestBody, schema, schemas),
    query: parameters.flatMap((each) => (each.in === 'query' && each.required ? [each.name] : [])),
    keyed: parameters.some(({ name }) => name === 'Idempotency-Key'),
  }
  return {
    id: operation.operationId,
    method: at.method,
    path: at.path,
    summary: operation.summary,
    description: operation.description ?? '',
    parameters: membersOf(objectOf(parameters), schemas),
    hasBody: schema !== undefined,
    bodyDescription: schema ? descriptionOf(schema, schemas) : '',
    body: schema ? membersOf(schema, schemas) : [],
    bodyRequired: operation.requestBody?.['required'] === true,
    curl: curlOf(call, at.baseUrl),
    responses: Object.entries(operation.responses).map(([status, response]) => {
      const { $ref } = response
      if (typeof $ref !== 'string') return responseView(status, response, schemas)
      return refusalView(status, { ...components.responses[nameOfRef($ref)], ...response })
    }),
  }
}

/** The field of a form's file. */
function fileOf(
  body: JsonSchema | undefined,
  schema: JsonSchema | undefined,
  schemas: Record<string, JsonSchema>,
): string | undefined {
  if (!schema || !Object.hasOwn(body?.['content'] ?? {}, 'multipart/form-data')) return undefined
  const fields = Object.entries((resolve(schema, schemas)['properties'] ?? {}) as Record<string, JsonSchema>)
  return fields.find(([, { format }]) => format === 'binary')?.[0]
}

type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: JsonSchema }

function parameterOf(given: JsonSchema, shared: Record<string, JsonSchema>): Parameter {
  const ref = given['$ref']
  return (typeof ref === 'string' ? shared[nameOfRef(ref)] : given) as Parameter
}

/** Returns parameters as the members of an object, so that both are shown alike. */
function objectOf(parameters: Parameter[]): JsonSchema {
  const entries = parameters.map(({ name, description, schema }) => [
    name,
    description ? { ...schema, description } : schema,
  ])
  const required = parameters.filter((each) => each.required).map(({ name }) => name)
  return { type: 'object', required, properties: Object.fromEntries(entries) as JsonSchema }
}

function responseView(
  status: string,
  response: JsonSchema,
  schemas: Record<string, JsonSchema>,
): ResponseView {
  const { schema, examples: given } = contentOf(response)
  const own = schema ? [{ name: '', value: exampleOf(schema, schemas) }] : []
  const examples = given.length > 0 ? given : own
  return {
    status,
    description: typeof response['description'] === 'string' ? response['description'] : '',
    members: schema ? membersOf(schema, schemas) : [],
    examples: examples.map(({ name, value }) => ({ name, text: JSON.stringify(value, null, 2) })),
  }
}

/** Operations share the response of a status, with more codes than one of them answers: its own description names these. */
function refusalView(status: string, response: JsonSchema): ResponseView {
  const own = String(response['description'])
  const answered = contentOf(response).examples.filter(({ name }) => own.includes(`\`${name}\``))
  return {
    status,
    description: answered.map(({ name, value }) => `\`${name}\` ${(value as Problem).title}.`).join('\n\n'),
    members: [],
    examples: answered.map(({ name, value }) => ({ name, text: JSON.stringify(value, null, 2) })),
  }
}
