import type { JsonSchema } from '../openapi-schemas'

/** `query`: the required parameters of the query. */
export type Call = {
  method: string
  path: string
  query: readonly string[]
  isPublic: boolean
  body: unknown
  keyed: boolean
}

/** A shell command for an operation. Its variables: COFRE_TOKEN, COFRE_SELLER, and one for each other part of the path and query. */
export function curlOf({ method, path, query, isPublic, body, keyed }: Call, baseUrl: string): string {
  const asked = query.map((name) => `${name}={${name}}`).join('&')
  const url = (asked === '' ? path : `${path}?${asked}`)
    .replaceAll(/\{\w*[sS]ellerId\}/g, '$COFRE_SELLER')
    .replaceAll(/\{(\w+)\}/g, (_all, name: string) => `$${name.toUpperCase()}`)
  const lines = [
    `curl -sS ${method === 'GET' || body !== undefined ? '' : `-X ${method} `}"${baseUrl}${url}"`,
    ...(method === 'PUT' && body !== undefined ? ['-X PUT'] : []),
    ...(isPublic ? [] : ['-H "Authorization: Bearer $COFRE_TOKEN"']),
    ...(keyed ? ['-H "Idempotency-Key: try-$(date +%s)"'] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${quoted(body)}'`]),
  ]
  return lines.join(' \\\n  ')
}

function quoted(body: unknown): string {
  return JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)
}

/** The content of a response or request in JSON: its schema and its examples by name. */
export function contentOf(holder: JsonSchema | undefined) {
  const content = Object.values((holder?.['content'] ?? {}) as Record<string, JsonSchema>)[0]
  const { schema, example, examples } = (content ?? {}) as {
    schema?: JsonSchema
    example?: unknown
    examples?: Record<string, { value: unknown }>
  }
  const named = Object.entries(examples ?? {}).map(([name, { value }]) => ({ name, value }))
  return { schema, examples: example === undefined ? named : [{ name: '', value: example }] }
}
