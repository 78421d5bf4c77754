import { DomainError, notFound } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import {
  RequestState,
  type FindRequestRequest,
  type KeptRequest,
} from '@cofre/proto/idempotency/v1/idempotency'
import { z } from 'zod'
import type { Services } from '../clients'
import { pathsOf, route, type Route, type View } from '../http/route'

const requestSchema = z
  .object({
    method: z.string(),
    path: z
      .string()
      .meta({ description: 'The path of the route. It may differ from the one that you called.' }),
    state: z.enum(['IN_FLIGHT', 'DONE']).meta({ id: 'KeptRequestState' }),
    status: z.int().nullable(),
    location: z.string().nullable(),
    completedAt: z.int().nullable().meta({ description: 'Epoch milliseconds.' }),
  })
  .meta({
    id: 'KeptRequest',
    examples: [
      {
        method: 'POST',
        path: '/api/v2/charges/981/capture',
        state: 'DONE',
        status: 201,
        location: 'https://pay.example.com/api/v2/charges/981',
        completedAt: 1_767_225_600_412,
      },
    ],
  })

/** Looks up the outcome of an Idempotency-Key. `routes`: the routes whose answers are kept. */
export function requestRoutes(routes: readonly Route[]): Route[] {
  const find = route({
    method: 'GET',
    path: '/api/v2/requests/{key}',
    scope: 'any',
    operationId: 'getRequest',
    tag: 'Requests',
    summary: 'Look up the request of an Idempotency-Key',
    description:
      'Finds the newest request that used the key: a key may be used again on another path. Shows where its answer led, not its body. Keys are kept for 7 days.',
    params: z.object({ key: z.string().regex(/^[\x21-\x7e]{1,255}$/) }),
    responses: { 200: { description: 'The newest request with this key.', schema: requestSchema } },
    handle: ({ sellerId, params }, { services }) => findNewest(services, { sellerId, key: params.key }),
    present: (kept, view) => ({ status: 200, body: describe(kept, routes, view) }),
  })
  return [find]
}

/** Finds the newest request with a key. Each service keeps its own requests, and several may have the same key. */
async function findNewest(services: Services, request: FindRequestRequest): Promise<KeptRequest> {
  const found = await Promise.all(
    Object.values(services.idempotency).map((client) =>
      callRpc(client, client.findRequest, request).catch((error: unknown) => {
        if (error instanceof DomainError && error.kind === 'not_found') return undefined
        throw error
      }),
    ),
  )
  const [newest] = found
    .filter((kept) => kept !== undefined)
    .sort((one, other) => other.createdAt - one.createdAt)
  if (!newest)
    throw notFound(
      'No answer is kept under this key: it was not used in the last 7 days, or its request was refused.',
    )
  return newest
}

function describe(kept: KeptRequest, routes: readonly Route[], view: View): z.output<typeof requestSchema> {
  const { method, path } = kept
  if (kept.state !== RequestState.DONE) {
    return { method, path, state: 'IN_FLIGHT', status: null, location: null, completedAt: null }
  }
  const answered = routes.find(
    (each) => each.method === method && pathsOf(each).some((one) => matches(one, path)),
  )
  if (!answered?.message) throw new Error('a kept answer of a route that keeps none')
  const { status, headers } = answered.present(answered.message.decode(kept.response), view)
  const location = headers?.Location ?? null
  return { method, path, state: 'DONE', status, location, completedAt: kept.completedAt ?? null }
}

/** True when a path matches a pattern with `{name}` for each parameter. */
function matches(pattern: string, path: string): boolean {
  const wanted = pattern.split('/')
  const given = path.split('/')
  return (
    wanted.length === given.length && wanted.every((word, at) => word.startsWith('{') || word === given[at])
  )
}
