import { z } from 'zod'
import { route } from '../http/route'

const tag = 'Service'
const UP_DOWN = z.enum(['UP', 'DOWN']).meta({ id: 'HealthState' })
const readySchema = z
  .object({ status: UP_DOWN, dependencies: z.record(z.string(), UP_DOWN) })
  .meta({ id: 'Readiness' })

const live = route({
  method: 'GET',
  path: '/healthz',
  scope: 'public',
  uncounted: true,
  operationId: 'getLiveness',
  tag,
  summary: 'Check that the process runs',
  responses: {
    200: {
      description: 'The process runs.',
      schema: z.object({ status: z.literal('UP') }).meta({ id: 'Liveness' }),
    },
  },
  handle: async () => undefined,
  present: () => ({ status: 200, body: { status: 'UP' } }),
})

const ready = route({
  method: 'GET',
  path: '/readyz',
  scope: 'public',
  placeless: true,
  operationId: 'getReadiness',
  tag,
  summary: 'Check that every dependency answers',
  responses: {
    200: { description: 'Every dependency answers.', schema: readySchema },
    503: { description: 'At least one dependency does not answer: its state is DOWN.', schema: readySchema },
  },
  handle: (_request, deps) => deps.readiness(),
  present: (dependencies) => {
    const up = Object.values(dependencies).every((each) => each === 'UP')
    return up
      ? { status: 200, body: { status: 'UP', dependencies } }
      : { status: 503, headers: { 'Retry-After': '1' }, body: { status: 'DOWN', dependencies } }
  },
})

const jwks = route({
  method: 'GET',
  path: '/.well-known/jwks.json',
  scope: 'public',
  operationId: 'getJwks',
  tag,
  summary: 'Read the keys that verify access tokens',
  responses: {
    200: {
      description: 'A JWK Set (RFC 7517).',
      schema: z
        .object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() }).meta({ id: 'Jwk' })) })
        .meta({ id: 'Jwks' }),
    },
  },
  handle: (_request, { keys }) => keys.jwks(),
  present: (set) => ({ status: 200, headers: { 'Cache-Control': 'public, max-age=60' }, body: set }),
})

/** What every gateway answers, whatever else it serves. */
export const healthRoutes = [live, ready]

export const serviceRoutes = [...healthRoutes, jwks]
