import { z } from 'zod'
import { describeApi } from '../docs/openapi'
import { route, type Route } from '../http/route'
import { fixedAnswer, type FixedAnswer } from '../pages/fixed-answer'

/** Returns the route that serves the document of all routes, including itself. */
export function documentRoutes(all: () => readonly Route[]): Route[] {
  let document: FixedAnswer | undefined
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
        headers: ['ETag'],
      },
      304: { description: 'The document still has the ETag of `If-None-Match`.', headers: ['ETag'] },
    },
    // The routes do not change while the process lives.
    handle: async (_request, { baseUrl }) =>
      (document ??= fixedAnswer(
        Buffer.from(JSON.stringify(describeApi(all(), baseUrl))),
        'application/json',
      )),
    present: (fixed) => ({ status: 200, fixed }),
  })
  return [read]
}
