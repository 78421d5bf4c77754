import type { JsonSchema } from '../openapi-schemas'

/** `query`: the required parameters of the query. `file`: the field of a form's file; its body is then no JSON. */
export type Call = {
  method: string
  path: string
  query: readonly string[]
  isPublic: boolean
  body: unknown
  file: string | undefined
  keyed: boolean
}

/** A shell command for an operation. Its variables: COFRE_TOKEN, COFRE_SELLER, and one for each other part of the path and query. */
export function curlOf({ method, path, query, isPublic, body, file, keyed }: Call, baseUrl: string): string {
  const asked = query.map((name) => `${name}={${name}}`).join('&')
  const url = (asked === '' ? path : `${path}?${asked}`)
    .replaceAll(/\{\w*[sS]ellerId\}/g, '$COFRE_SELLER')
    .replaceAll(/\{(\w+)\}/g, (_all, name: string) => `$${name.toUpperCase()}`)
  const lines = [
    `curl -sS ${method === 'GET' || body !== undefined ? '' : `-X ${method} `}"${baseUrl}${url}"`,
    ...(method !== 'POST' && method !== 'GET' && body !== undefined ? [`-X ${method}`] : []),
    ...(isPublic ? [] : ['-H "Authorization: Bearer $COFRE_TOKEN"']),
    ...(keyed ? ['-H "Idempotency-Key: try-$(date +%s)"'] : []),
    ...(body === undefined ? [] : bodyOf(body, file)),
  ]
  return lines.join(' \\\n  ')
}

/** The text fields of a form come before its file. */
function bodyOf(body: unknown, file: string | undefined): string[] {
  if (file === undefined) return ["-H 'Content-Type: application/json'", `-d '${quoted(body)}'`]
  const texts = Object.entries(body as Record<string, unknown>).filter(([name]) => name !== file)
  return [
    ...texts.map(([name, value]) => `-F '${name}=${String(value)}'`),
    `-F "${file}=@$EVIDENCE;type=application/pdf"`,
  ]
}

function quoted(body: unknown): string {
  return JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)
}

/** The content of a response or request: its schema and its examples by name. */
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
