import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import Ajv, { type ValidateFunction } from 'ajv'
import addFormats from 'ajv-formats'
import { parse } from 'yaml'
import type { Json } from '../support'
import { corrected, type Schema } from './corrections'

/**
 * The central bank's document of API Pix 2.9.0 (github.com/bacen/pix-api, Apache License 2.0), unchanged in
 * api-pix-2.9.0.yaml. Where it contradicts itself, `corrections.ts` says so.
 */
const document: Json = corrected(parse(readFileSync(join(__dirname, 'api-pix-2.9.0.yaml'), 'utf8')))
const ajv = addFormats(new Ajv({ strict: false, allErrors: true }))
const INVALID = {
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problema' } } },
}
const validators = new Map<Schema, ValidateFunction>()

export type Exchange = {
  method: string
  /** Without the query. */
  path: string
  body?: unknown
  answer: { status: number; headers: Record<string, unknown>; body: Json }
}

/** Returns what is wrong with a call and its answer, by the document. A call that is wrong on purpose is not looked at. */
export function faultsOf(exchange: Exchange, wrongOnPurpose: boolean): string[] {
  const { method, path, body, answer } = exchange
  const operation = operationOf(method, path)
  if (!operation) return [`the document has no ${method} ${path}`]
  const request = resolve(operation.requestBody)?.content?.['application/json']?.schema
  const sent = wrongOnPurpose || !request ? [] : bodyFaults(request, body).map((fault) => `request: ${fault}`)
  return [...sent, ...answerFaults(operation, answer)]
}

/** Returns what is wrong with a webhook's call. `WebhookPixBody`, `WebhookRecBody` or `WebhookCobRBody`. */
export function webhookFaults(name: string, body: unknown): string[] {
  return bodyFaults(document.components.requestBodies[name].content['application/json'].schema, body)
}

function answerFaults(operation: Json, { status, headers, body }: Exchange['answer']): string[] {
  // The document names no answer to a token that ended: OAuth 2.0 does (RFC 6750).
  if (status === 401) return bodyFaults(document.components.schemas.Problema, body)
  // Its text names the errors of a query, its lists of answers do not.
  const described = resolve(operation.responses[String(status)] ?? (status === 400 && INVALID))
  if (!described) return [`the document has no answer ${status}`]
  const type = /^[^;]*/.exec((headers['content-type'] as string | undefined) ?? '')?.[0]
  const contents: Record<string, Json> = described.content ?? {}
  if (Object.keys(contents).length === 0) return body === '' ? [] : ['an answer without content has a body']
  const content = contents[type ?? '']
  return content ? bodyFaults(content.schema, body) : [`an answer of type ${type}`]
}

function bodyFaults(schema: Schema, body: unknown): string[] {
  const validate = validators.get(schema) ?? ajv.compile({ ...schema, components: document.components })
  validators.set(schema, validate)
  validate(body)
  const broken = (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
  return [...broken, ...unknownMembers([schema], body, '')]
}

/** Returns the members of a value that no part of its schemas names. */
function unknownMembers(schemas: Schema[], value: unknown, path: string): string[] {
  const parts = schemas.flatMap(partsOf)
  if (Array.isArray(value)) {
    const items = parts.flatMap((part) => part['items'] ?? [])
    return value.flatMap((item, at) => unknownMembers(items, item, `${path}/${at}`))
  }
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    const named = parts.flatMap((part) => part['properties']?.[name] ?? [])
    const demanded = parts.some((part) => part['x-demanded']?.includes(name))
    if (named.length === 0 && !demanded) return [`${path}/${name} is unknown`]
    return unknownMembers(named, member, `${path}/${name}`)
  })
}

/** Returns a schema and all of which it is composed. */
function partsOf(schema: Schema): Schema[] {
  const whole = resolve(schema)
  const inner = ['allOf', 'oneOf', 'anyOf'].flatMap((word): Schema[] => whole[word] ?? [])
  return [whole, ...inner.flatMap(partsOf)]
}

/** What a payer's bank reads at a location is another server's. */
function operationOf(method: string, path: string): Json {
  const template = Object.keys(document.paths).find(
    (one) =>
      !one.includes('UrlAccessToken') && new RegExp(`^${one.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(path),
  )
  return document.paths[template ?? '']?.[method.toLowerCase()]
}

function resolve(node: Json): Json {
  if (!node?.$ref) return node
  const names: string[] = node.$ref.slice(2).split('/')
  return resolve(names.reduce((at, name) => at[name], document))
}
