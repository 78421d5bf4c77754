import type { ProblemReason } from '@cofre/platform/reason'
import type { JsonSchema } from './openapi-schemas'
import { refuseFaults, type FaultPlace } from '../http/faults'
import { PROBLEM_CODES } from '../http/problem-codes'

type Components = Record<string, JsonSchema>
const DEPTH_MAX = 12
const SAMPLE_HEX = 'f3a1'.repeat(16)

/** Returns a value that a schema allows: its own example, or one made of the examples of its members. */
export function exampleOf(schema: JsonSchema, components: Components, depth = 0): unknown {
  const { $ref, examples, anyOf, oneOf, allOf } = schema as {
    $ref?: string
    examples?: unknown[]
    anyOf?: JsonSchema[]
    oneOf?: JsonSchema[]
    allOf?: JsonSchema[]
  }
  if (depth > DEPTH_MAX) return null
  if (examples?.length) return examples[0]
  if ($ref) return exampleOf(components[nameOfRef($ref)] ?? {}, components, depth + 1)
  if ('default' in schema) return schema['default']
  if ('const' in schema) return schema['const']
  const names = schema['enum'] ?? schema['x-extensible-enum']
  if (Array.isArray(names)) return names[0] as unknown
  if (schema['type'] === 'object') return exampleOfMembers(schema, components, depth)
  const parts = anyOf ?? oneOf ?? allOf
  if (parts?.[0]) return exampleOf(parts[0], components, depth + 1)
  if (schema['type'] === 'array') {
    return [exampleOf((schema['items'] as JsonSchema | undefined) ?? {}, components, depth + 1)]
  }
  return exampleOfScalar(schema)
}

/** The name of a component that a reference leads to. */
export function nameOfRef(ref: string): string {
  return ref.split('/').at(-1) ?? ''
}

function exampleOfMembers(schema: JsonSchema, components: Components, depth: number): unknown {
  const entries = Object.entries((schema['properties'] ?? {}) as Components)
  return Object.fromEntries(entries.map(([name, each]) => [name, exampleOf(each, components, depth + 1)]))
}

function exampleOfScalar({ type: types, format, minimum, description }: JsonSchema): unknown {
  const [type] = [types].flat()
  if (type === 'boolean') return true
  if (type === 'integer' || type === 'number') {
    if (typeof description === 'string' && description.startsWith('Epoch')) return 1_767_225_600_000
    return Math.max(1, typeof minimum === 'number' ? minimum : 1)
  }
  if (type !== 'string') return null
  if (format === 'uri') return 'https://shop.example/hooks'
  if (format === 'date') return '2026-01-01'
  if (format === 'email') return 'ana@example.com'
  return typeof description === 'string' && description.includes('64 hexadecimal') ? SAMPLE_HEX : 'text'
}

const INSTANCES = { body: '/api/v2/charges/981/capture', query: '/api/v2/charges' }
const FAULTS: Partial<Record<ProblemReason, { pointer: string; code: string; detail: string }>> = {
  VALIDATION_FAILED: { pointer: '#/amount', code: 'MIN', detail: 'must be at least 1' },
  UNKNOWN_FIELD: {
    pointer: '#/ammount',
    code: 'UNKNOWN_FIELD',
    detail: 'is not known here; did you mean amount?',
  },
}

const FAULTS_OF_QUERIES: typeof FAULTS = {
  VALIDATION_FAILED: { pointer: '#/page', code: 'MIN', detail: 'must be at least 0' },
  UNKNOWN_FIELD: {
    pointer: '#/pge',
    code: 'UNKNOWN_FIELD',
    detail: 'is not known here; did you mean page?',
  },
}

/** Returns a problem as an operation answers it. `baseUrl`: the URL before /api/v2. */
export function exampleProblem(code: ProblemReason, baseUrl: string, place: FaultPlace = 'body'): JsonSchema {
  const { title, status, meaning, retryable = false } = PROBLEM_CODES[code]
  const fault = (place === 'query' ? FAULTS_OF_QUERIES : FAULTS)[code]
  return {
    type: `${baseUrl}/docs/errors#${code}`,
    title,
    status,
    detail: fault ? refuseFaults([fault], place).message : meaning,
    instance: INSTANCES[place],
    code,
    requestId: 'req_5f0c9d2e8b7a4c1d9e3f6a2b',
    retryable,
    ...(fault ? { errors: [fault] } : {}),
  }
}
