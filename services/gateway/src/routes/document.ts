import { z } from 'zod'
import { describeApi } from '../openapi/openapi'
import { route, type Route } from '../http/route'

/** Returns the route that serves the document of all routes, including itself. */
export function documentRoutes(all: () => readonly Route[]): Route[] {
  let document: Buffer | undefined
  const read = route({
    method: 'GET',
    path: '/openapi.json',
    scope: 'public',
    operationId: 'getOpenApi',
    tag: 'Service',
    summary: 'Read this OpenAPI document',
    responses: {
      200: {
        description: 'OpenAPI 3.1.',
        schema: z.looseObject({ openapi: z.string() }).meta({ id: 'OpenApi' }),
      },
    },
    // The routes do not change while the process lives. A slow reader keeps no copy of the document.
    handle: async (_request, { baseUrl }) =>
      (document ??= Buffer.from(JSON.stringify(describeApi(all(), baseUrl)))),
    present: (made) => ({ status: 200, headers: { 'Cache-Control': 'no-cache' }, body: made }),
  })
  return [read]
}
