import type { IdempotencyKey } from '@cofre/platform/grpc/call-context'
import { holdsCardNumber } from '@cofre/platform/card/card-number'
import { DomainError, notFound, type FieldError } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import { urlFault } from '@cofre/platform/outbound/outbound-guard'
import { CardKind, CardSource, type SealedCard } from '@cofre/proto/vault/v1/vault'
import type { Request, Response } from 'express'
import { z } from 'zod'
import type { Deps } from '../deps'
import { faultsOf, mergeFaults, refuseFaults, tooLongIn } from './faults'
import { findKept } from './find-kept'
import { fingerprintsOf, type Fingerprints } from './fingerprint'
import { misplacedCards } from './misplaced-cards'
import { withoutAbsent } from './body/absent-members'
import { requireJson } from './body/media-type'
import { plainBody } from './body/plain-body'
import { readUpload } from './body/upload'
import { malformed, parseSent, readBody } from './read-body'
import { pathsOf, takesKey, type Route } from './route'
import { unknownFields } from './body/unknown-fields'

/** Returns the path parameters. A malformed parameter names nothing: 404, as for another seller's resource. */
export function readParams(route: Route, req: Request, sellerId: number): unknown {
  const { sellerId: named = String(sellerId), repeatedSellerId: again = named, ...params } = req.params
  if (named !== String(sellerId) || again !== named) throw notFound()
  const result = route.params?.safeParse(params)
  if (result && !result.success) throw notFound()
  return result?.data
}

const NO_QUERY = z.object({})
/** The body of a POST that needs none: absent, or `{}`. */
const NO_BODY: NonNullable<Route['body']> = { kind: 'json', schema: z.object({}), required: false }

/** Returns the query after the first question mark: a later one may stand in a value (RFC 3986, section 3.4). */
export function queryOf({ url }: Pick<Request, 'url'>): URLSearchParams {
  const [, query = ''] = url.split(/\?(.*)/s)
  return new URLSearchParams(query)
}

/** Returns the parameters of the query, a repeated one as a list. Nobody counts the callers of some routes: those read none. */
export function readQuery(route: Route, req: Request): unknown {
  if (route.uncounted || route.placeless) return undefined
  const schema = route.query ?? NO_QUERY
  const query = parametersOf(queryOf(req))
  const result = schema.safeParse(query, { reportInput: true })
  const ofSchema = result.success ? [] : faultsOf(result.error).map((fault) => repeatedFault(query, fault))
  const misplaced = misplacedCards(query, tooLongIn(result.error))
  const faults = mergeFaults(misplaced, [...ofSchema, ...unknownFields(schema, query)])
  if (faults.length > 0) throw refuseFaults(faults, 'query')
  return route.query && result.data
}

function parametersOf(search: URLSearchParams): Record<string, string | string[]> {
  const given = new Map<string, string[]>()
  for (const [name, value] of search) {
    const values = given.get(name)
    if (values) values.push(value)
    else given.set(name, [value])
  }
  return Object.fromEntries(
    Array.from(given, ([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  )
}

/** Returns the fault of a parameter that takes one value but was given several times. */
function repeatedFault(query: Record<string, unknown>, fault: FieldError): FieldError {
  const isRepeated = fault.code === 'TYPE' && Array.isArray(query[fault.pointer.slice(2)])
  return isRepeated ? { ...fault, code: 'DUPLICATE', detail: 'must be given once' } : fault
}

export type ReadBody = {
  body: unknown
  cards: readonly SealedCard[]
  /** The Idempotency-Key with the fingerprint of the body. */
  idempotency: IdempotencyKey | undefined
  /** The encoded answer kept for this request, which repeats one whose card has grown stale since. */
  kept?: Buffer
  /** The key with the vault's fingerprint, for a body that was read here: the vault may have read the first request. */
  sealedKey?: () => Promise<IdempotencyKey | undefined>
}

/** Returns the rule of a route's body; undefined when the route takes none. */
function bodyRuleOf({ method, body }: Route): Route['body'] {
  return body ?? (method === 'GET' || method === 'DELETE' ? undefined : NO_BODY)
}

/** Returns the body as sent. A route without a body does not wait for one: the connection ends with the answer. */
export async function readBytes(route: Route, req: Request, res: Response): Promise<Buffer> {
  const rule = bodyRuleOf(route)
  // The handler reads it.
  if (rule?.kind === 'form') return Buffer.alloc(0)
  if (rule) return readBody(req, res)
  const { 'content-length': length = '0', 'transfer-encoding': encoding } = req.headers
  if (length !== '0' || encoding !== undefined) res.setHeader('Connection', 'close')
  return Buffer.alloc(0)
}

/** The seller, path parameters and body of a request. `lenient`: unknown members in the seller's bodies are ignored. */
type Named = { sellerId: number; lenient: boolean; params: unknown; bytes: Buffer }

/** Checks the body, and ties the Idempotency-Key to it. */
export async function readRequestBody(
  deps: Deps,
  route: Route,
  req: Request,
  named: Named,
): Promise<ReadBody> {
  const { sellerId, lenient, params, bytes } = named
  const rule = bodyRuleOf(route)
  const form = rule?.file && req.res ? await readUpload(req, req.res, rule.file) : undefined
  if (rule && bytes.length > 0) requireJson(req)
  if (rule?.required && !form && bytes.length === 0) throw malformed('This operation needs a body in JSON.')
  const kind = bytes.length === 0 ? 'json' : rule?.kind
  refuseTwoKeys(req)
  const key = readKey(req)
  const plain = kind === 'card' && rule?.takesTokens ? plainBody(bytes) : undefined
  if (kind === 'card' && plain === undefined) return readCardBody(deps, route, req, { ...named, key })
  const { value: sent, lost } =
    plain === undefined && rule && bytes.length > 0
      ? parseSent(bytes)
      : { value: plain ?? form ?? {}, lost: [] }
  const isSearched = plain !== undefined
  const body = rule ? checked(check(deps, { rule, req, lenient, isSearched }, sent, lost)) : undefined
  const scope = { route, req, sellerId, params, key }
  const idempotency = keyOf(scope, () => fingerprintsOf(deps.fingerprintKeys, sent))
  if (plain === undefined || !key) return { body, cards: [], idempotency }
  const sealedKey = async () => (await readCardBody(deps, route, req, { ...named, key })).idempotency
  return { body, cards: [], idempotency, sealedKey }
}

type CardBody = Named & { key: string | undefined }

/** Sends the bytes to the vault unread. The vault's answer has no card data in it. */
async function readCardBody(
  deps: Deps,
  route: Route,
  req: Request,
  { sellerId, lenient, params, bytes, key }: CardBody,
): Promise<ReadBody> {
  const { vault } = deps.services
  const kind = route.body?.cardKind ?? CardKind.PAYMENT_CARD
  const { paysInvoice } = route.body ?? {}
  const invoiceIds = paysInvoice ? [String((params as Record<string, unknown>)[paysInvoice])] : []
  const sealed = await callRpc(vault, vault.sealCardData, { sellerId, body: bytes, kind, invoiceIds })
  const masked = JSON.parse(sealed.body.toString()) as unknown
  const idempotency = keyOf({ route, req, sellerId, params, key }, () => {
    const fingerprint = Buffer.from(sealed.fingerprint).toString('base64')
    if (!sealed.cards.every(isTokenAlone)) return { fingerprint }
    // In another spelling, the first request may have been read here and have a fingerprint of the gateway.
    const here = fingerprintsOf(deps.fingerprintKeys, masked)
    return { fingerprint, otherFingerprints: [here.fingerprint, ...here.otherFingerprints] }
  })
  const read = check(deps, { rule: route.body, req, lenient, isSearched: true }, masked, sealed.errors)
  const kept = await findKept(deps, route, sellerId, { faults: read.faults, idempotency })
  return kept
    ? { body: read.body, cards: [], idempotency, kept }
    : { body: checked(read), cards: sealed.cards, idempotency }
}

function isTokenAlone({ source, hasCvv }: SealedCard): boolean {
  return (source === CardSource.CARD_TOKEN || source === CardSource.VOUCHER_TOKEN) && !hasCvv
}

type Checked = { body: unknown; faults: FieldError[] }

/** Returns the body of a request without faults. Throws the faults otherwise. */
function checked({ body, faults }: Checked): unknown {
  if (faults.length > 0) throw refuseFaults(faults, 'body')
  return body
}

/** Checks a body that a form of ours made, as that of a request. Throws its faults. */
export function checkedBody(deps: Deps, { body: rule }: Route, req: Request, value: unknown): unknown {
  return checked(check(deps, { rule, req, lenient: false, isSearched: false }, value, []))
}

/** `isSearched`: the body was searched for misplaced cards before, here or in the vault. */
type CheckedBy = { rule: Route['body']; req: Request; lenient: boolean; isSearched: boolean }

function check(
  deps: Deps,
  { rule, req, lenient, isSearched }: CheckedBy,
  sent: unknown,
  ofReading: readonly FieldError[],
): Checked {
  if (!rule) return { body: undefined, faults: mergeFaults(ofReading, []) }
  const { value, advice } = withoutAbsent(rule.schema, sent, rule.readOnly)
  const result = rule.schema.safeParse(value, { reportInput: true })
  const misplaced = isSearched ? [] : misplacedCards(sent, tooLongIn(result.error))
  const ofCards = [...misplaced, ...ofReading]
  const ofSchema = result.success ? [] : faultsOf(result.error)
  const ofUrls = (rule.urls ?? []).flatMap((name) =>
    urlFaults(deps, name, (value as Record<string, unknown> | null)?.[name]),
  )
  // Skips URLs that the schema has found faulty already.
  const told = new Set(ofSchema.map(({ pointer }) => pointer))
  const further = ofUrls.filter(({ pointer }) => !told.has(pointer))
  const isIgnored = isLenient(req, lenient)
  const ofUnknown = isIgnored ? [] : unknownFields(rule.schema, value)
  const counted = isIgnored ? ofCards.filter(({ code }) => code !== 'UNKNOWN_FIELD') : ofCards
  const ofValues = advised([...ofSchema, ...further], advice)
  return { body: result.data, faults: mergeFaults(counted, [...ofValues, ...ofUnknown]) }
}

/** Returns the faults with the advice for their places: there it says more than the rules that the value breaks. */
function advised(faults: readonly FieldError[], advice: ReadonlyMap<string, string>): FieldError[] {
  const first = new Map(faults.toReversed().map((fault) => [fault.pointer, fault]))
  return faults.flatMap((fault) => {
    const detail = advice.get(fault.pointer)
    if (detail === undefined) return [fault]
    return fault === first.get(fault.pointer) ? [{ ...fault, detail }] : []
  })
}

/** True when unknown members of the body are ignored: by the caller's choice (RFC 7240), else the seller's setting. */
function isLenient(req: Request, byDefault: boolean): boolean {
  const preferred = (req.get('prefer') ?? '').split(',').map((each) => each.trim().toLowerCase())
  const asked = preferred.find((each) => each === 'handling=lenient' || each === 'handling=strict')
  if (asked === undefined) return byDefault
  req.res?.setHeader('Preference-Applied', asked)
  return asked === 'handling=lenient'
}

function urlFaults({ config }: Deps, name: string, url: unknown): FieldError[] {
  if (typeof url !== 'string') return []
  const fault = urlFault(url, config.outboundAllowed)
  return fault ? [{ pointer: `#/${name}`, ...URL_FAULTS[fault] }] : []
}

const URL_FAULTS = {
  malformed: { code: 'FORMAT', detail: 'must begin with https:// or http://, and hold no password' },
  not_public: { code: 'NOT_PUBLIC', detail: 'must have a host on the public internet' },
} as const

/** Node joins two headers of one name to one value. */
function refuseTwoKeys({ headersDistinct }: Request): void {
  if ((headersDistinct['idempotency-key'] ?? []).length < 2) return
  const message = 'The header Idempotency-Key is given twice: send one.'
  throw new DomainError('invalid_argument', 'VALIDATION_FAILED', message)
}

function readKey(req: Request): string | undefined {
  if (!takesKey(req.method)) return undefined
  const given = req.headers['idempotency-key']
  if (given === undefined) return undefined
  // Some clients quote it, as a structured field (draft-ietf-httpapi-idempotency-key-header): it is the same key.
  const key = typeof given === 'string' ? given.replace(/^"(.+)"$/, '$1') : given
  // The key is kept for days and shown again, so it must not be a card number.
  const isKey = typeof key === 'string' && /^[\x21-\x7e]{1,255}$/.test(key)
  if (isKey && !holdsCardNumber(key)) return key
  const message = isKey ? KEY_LIKE_CARD : 'An Idempotency-Key has 1 to 255 visible ASCII characters.'
  throw new DomainError('invalid_argument', 'VALIDATION_FAILED', message)
}

const KEY_LIKE_CARD =
  'This Idempotency-Key looks like a card number: send another key, such as a UUID. Nothing was done.'

type Scope = { route: Route; req: Request; sellerId: number; params: unknown; key: string | undefined }

/**
 * Returns the key of a request. A route of several paths has one path in its keys, that of the reference, so that a
 * client that changes from one to another repeats the same request. Parameters are as the route reads them: `TICKET`
 * and `ticket` are one brand.
 */
function keyOf(
  { route, req, sellerId, params, key }: Scope,
  fingerprints: () => Pick<IdempotencyKey, keyof Fingerprints>,
): IdempotencyKey | undefined {
  if (key === undefined) return undefined
  const read = params as Record<string, unknown> | undefined
  const parts: Record<string, unknown> = { ...req.params, ...read, sellerId, repeatedSellerId: sellerId }
  const [pattern = ''] = pathsOf(route)
  const path = pattern.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(parts[name])))
  return { key, method: req.method, path, ...fingerprints() }
}
