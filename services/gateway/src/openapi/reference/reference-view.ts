import { exampleOf } from '../openapi-examples'
import type { JsonSchema } from '../openapi-schemas'
import { contentOf, curlOf } from './curl'
import { descriptionOf, membersOf, type Member } from './members'

type Example = { name: string; text: string }
type ResponseView = { status: string; description: string; members: Member[]; examples: Example[] }
export type OperationView = {
  id: string
  method: string
  path: string
  summary: string
  description: string
  scope: string
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
  'x-internal'?: true
}
export type ApiDocument = {
  paths: Record<string, Record<string, Operation>>
  tags: { name: string }[]
  components: { schemas: Record<string, JsonSchema>; parameters: Record<string, JsonSchema> }
}

/** Returns every operation once, by tag, in the order of the document. */
export function viewOf(document: ApiDocument, baseUrl: string): GroupView[] {
  const all = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => !operation['x-internal'])
      .map(([method, operation]) => ({
        tag: operation.tags[0],
        view: operationView(document, { baseUrl, method: method.toUpperCase(), path }, operation),
      })),
  )
  return document.tags
    .map(({ name }) => ({
      name,
      slug: name.toLowerCase().replaceAll(' ', '-'),
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
    query: parameters.flatMap((each) => (each.in === 'query' && each.required ? [each.name] : [])),
    keyed: parameters.some(({ name }) => name === 'Idempotency-Key'),
  }
  return {
    id: operation.operationId,
    method: at.method,
    path: at.path,
    summary: operation.summary,
    description: operation.description ?? '',
    scope: isPublic ? '' : (operation.security[0]?.['token']?.[0] ?? 'any token'),
    parameters: membersOf(objectOf(parameters), schemas),
    hasBody: schema !== undefined,
    bodyDescription: schema ? descriptionOf(schema, schemas) : '',
    body: schema ? membersOf(schema, schemas) : [],
    bodyRequired: operation.requestBody?.['required'] === true,
    curl: curlOf(call, at.baseUrl),
    responses: Object.entries(operation.responses).map(([status, response]) =>
      responseView(status, response, schemas),
    ),
  }
}

type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: JsonSchema }

function parameterOf(given: JsonSchema, shared: Record<string, JsonSchema>): Parameter {
  const ref = given['$ref']
  return (typeof ref === 'string' ? shared[ref.split('/').at(-1) ?? ''] : given) as Parameter
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
  const { schema, examples } = contentOf(response)
  const isProblem = Number(status) >= 400
  return {
    status,
    description: typeof response['description'] === 'string' ? response['description'] : '',
    members: schema && !isProblem ? membersOf(schema, schemas) : [],
    examples: examples.map(({ name, value }) => ({ name, text: JSON.stringify(value, null, 2) })),
  }
}
