import { problemSchema } from '@cofre/api/problem'
import { problemsOf } from '../../src/docs/openapi-problems'
import { pathsOf } from '../../src/http/route'
import { routes } from '../../src/api/all-routes'

/** JSON in a test: it may read any member, and its expectations check the members. */
// oxlint-disable-next-line typescript/no-explicit-any
type Json = any

export type Answer = { status: number; headers: Headers; body: Json; text: string }

/** Fails unless the API's document describes the answer. */
export function checkDocumented(method: string, path: string, { status, headers, body, text }: Answer): void {
  expect(headers.get('x-request-id')).toMatch(/^[!-~]{1,128}$/)
  const route = routes.find((each) => {
    const fits = pathsOf(each).some((pattern) => toRegExp(pattern).test(path.split('?')[0] ?? ''))
    return fits && each.method === (method === 'HEAD' ? 'GET' : method)
  })
  if (headers.get('content-type') === 'application/problem+json') {
    const problem = problemSchema.parse(body)
    expect(problem.status).toBe(status)
    expect(problem.requestId).toBe(headers.get('x-request-id'))
    expect(problem.type).toMatch(new RegExp(`/docs/errors#${problem.code}$`))
    if (route) expect([...problemsOf(route), 'NOT_FOUND']).toContain(problem.code)
    return
  }
  const response = route?.responses[status]
  if (!route) return
  expect(Object.keys(route.responses).map(Number)).toContain(status)
  for (const name of response?.headers ?? []) {
    if (name !== 'Retry-After') expect(headers.get(name)).not.toBeNull()
  }
  if (response?.contentType) expect(headers.get('content-type')).toContain(response.contentType)
  else if (method === 'HEAD' || !response?.schema) expect(text).toBe('')
  else response.schema.parse(body)
}

function toRegExp(pattern: string): RegExp {
  return new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll(/\{\w+\}/g, '[^/]+')}/?$`)
}
