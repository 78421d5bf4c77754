import { STATUS_CODES } from 'node:http'
import type { ProblemReason } from '@cofre/platform/reason'
import { exampleProblem } from './openapi-examples'
import { refsOf } from './openapi-parts'
import type { JsonSchema } from './openapi-schemas'
import { PROBLEM_CODES } from '../http/problem-codes'
import type { FaultPlace } from '../http/faults'
import { takesKey, type Route } from '../http/route'

const OWN_HEADERS: Readonly<Record<number, string[]>> = {
  401: ['WWW-Authenticate'],
  403: ['WWW-Authenticate'],
  409: ['Retry-After'],
  429: ['Retry-After'],
  503: ['Retry-After'],
  504: ['Retry-After'],
}

/** The component of a status. A request without a body has its faults in the query. */
function nameOf(status: number, place: FaultPlace): string {
  const name = (STATUS_CODES[status] ?? String(status)).replaceAll(/\W/g, '')
  return status === 400 && place === 'query' ? 'BadQuery' : name
}

const placeOf = ({ method }: Route): FaultPlace =>
  method === 'GET' || method === 'DELETE' ? 'query' : 'body'

/** The shared responses: each status that routes refuse with, and every code that any of them answers. */
export type Refusals = {
  components: Record<string, JsonSchema>
  /** The problems of a route, by status. Where it answers fewer codes than others, words beside the reference list them. */
  of(route: Route): JsonSchema
}

export function refusalsOf(routes: readonly Route[], baseUrl: string): Refusals {
  const shared = new Map<string, Set<ProblemReason>>()
  const components: Record<string, JsonSchema> = {}
  for (const route of routes) {
    for (const [status, codes] of codesOf(route)) {
      const name = nameOf(status, placeOf(route))
      const all = new Set([...(shared.get(name) ?? []), ...codes])
      shared.set(name, all)
      components[name] = responseOf(status, placeOf(route), [...all], baseUrl)
    }
  }
  const of = (route: Route) => {
    const entries = [...codesOf(route)].map(([status, codes]) => {
      const name = nameOf(status, placeOf(route))
      const reference = { $ref: `#/components/responses/${name}` }
      const isAll = codes.length === shared.get(name)?.size
      return [status, isAll ? reference : { ...reference, description: listOf(codes) }]
    })
    return Object.fromEntries(entries) as JsonSchema
  }
  return { components, of }
}

function codesOf(route: Route): Map<number, ProblemReason[]> {
  const found = new Map<number, ProblemReason[]>()
  for (const code of problemsOf(route)) {
    const { status } = PROBLEM_CODES[code]
    found.set(status, [...(found.get(status) ?? []), code])
  }
  return found
}

function responseOf(status: number, place: FaultPlace, codes: readonly ProblemReason[], baseUrl: string) {
  const entries = codes.map((code) => [code, { value: exampleProblem(code, baseUrl, place) }])
  const examples = Object.fromEntries(entries) as JsonSchema
  return {
    description: listOf(codes),
    headers: refsOf([...(OWN_HEADERS[status] ?? []), 'X-Request-Id']),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' }, examples } },
  }
}

function listOf(codes: readonly ProblemReason[]): string {
  return `${codes.map((code) => `\`${code}\``).join(', ')}.`
}

/** Every error code that an operation may answer. */
export function problemsOf(route: Route): ProblemReason[] {
  const { body, method, scope, uncounted, placeless, params, query } = route
  const writes = takesKey(method)
  const isForm = body?.kind === 'form'
  const answered: [when: boolean, codes: readonly ProblemReason[]][] = [
    [
      body !== undefined || writes,
      [isForm ? 'MALFORMED_REQUEST' : 'MALFORMED_JSON', 'UNSUPPORTED_MEDIA_TYPE'],
    ],
    [body !== undefined || query !== undefined || writes, ['VALIDATION_FAILED']],
    [true, ['UNKNOWN_FIELD']],
    [scope !== 'public', ['TOKEN_INVALID', 'TOKEN_EXPIRED', 'TOKEN_REVOKED']],
    [scope !== 'public' && scope !== 'any', ['SCOPE_MISSING']],
    [params !== undefined || route.path.includes('{'), ['NOT_FOUND']],
    [writes, ['IDEMPOTENCY_KEY_IN_USE', 'IDEMPOTENCY_KEY_REUSED', 'OUTCOME_UNKNOWN', 'BODY_TOO_LARGE']],
    [true, route.problems ?? []],
    [!uncounted, ['RATE_LIMITED']],
    [!uncounted && !placeless, ['SERVICE_UNAVAILABLE']],
    [true, ['INTERNAL']],
  ]
  return answered.flatMap(([when, codes]) => (when ? codes : []))
}
