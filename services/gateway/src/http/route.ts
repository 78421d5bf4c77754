import type { ProblemReason } from '@cofre/platform/reason'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import type { Codec } from '@cofre/platform/idempotency/idempotency'
import type { CalledBy } from '@cofre/platform/service/services'
import type { CardKind, SealedCard } from '@cofre/proto/vault/v1/vault'
import type { z } from 'zod'
import type { Answer } from './answer'
import type { PartnerKind } from './in-flight'
import type { Deps } from '../deps'
import type { RecordedFields } from '../history/recorded-fields'
import type { Scope } from '@cofre/api/scopes'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** The methods that change something and take an Idempotency-Key. */
export function takesKey(method: string): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH'
}

/**
 * How a body is read. `json`: parsed and checked here; an absent one is `{}` unless it is required. `card`: it may hold
 * card data, so its bytes go to the vault and the schema checks the vault's masked answer; see also `takesTokens`.
 * `form`: multipart/form-data, whose last field is the file; the handler reads it as it comes.
 */
export type BodyRule<Schema extends z.ZodType> = {
  kind: 'json' | 'card' | 'form'
  schema: Schema
  required: boolean
  /**
   * For a `card` body: the handler takes the token of a stored card as it is. A body without any card data then does
   * not go to the vault.
   */
  takesTokens?: true
  /** For a `card` body: the kind of cards that it may name. Payment cards by default. */
  cardKind?: CardKind
  /** For a `card` body: the path parameter with the id of the invoice that the card pays. A seal may name it. */
  paysInvoice?: string
  /** Fields that the history may keep: no card, no person, no free text. Absent: none. */
  recorded?: RecordedFields<z.output<Schema>>
  /** For a `form` body: the field of its file, and the most bytes of it. */
  file?: { named: string; maxBytes: number }
  /**
   * For a replacement: members that a read of the resource writes, `items.id` those of each item. They are ignored, so
   * that it may be sent back.
   */
  readOnly?: readonly string[]
  /** Members of the body that are URLs to be called later. */
  urls?: readonly string[]
}

/** The checked parts of a request that a route answers. */
export type RouteRequest<Params, Query, Body> = {
  /** The token's seller; 0 on a public route. */
  sellerId: number
  /** The scopes of the token; empty means all. */
  scopes: readonly Scope[]
  params: Params
  query: Query
  body: Body
  /** The cards that the vault found in the body. */
  cards: readonly SealedCard[]
}

export const LANGUAGES = ['en', 'pt-BR'] as const
export type Language = (typeof LANGUAGES)[number]

/** The facts that shape an answer beside the message. */
export type View = {
  baseUrl: string
  /** The token's seller; 0 on a public route. */
  sellerId: number
  /** The checked query. */
  query: unknown
  /** The language of texts for people. */
  language: Language
}

export type ResponseRule = {
  description: string
  schema?: z.ZodType
  /** The example in the reference, where this operation does not answer the example of the schema. */
  example?: unknown
  /** The type of a body that is not JSON. */
  contentType?: string
  headers?: readonly string[]
  /** Headers that only some states of the resource have. */
  headersAtTimes?: readonly string[]
}

type Definition<
  Params extends z.ZodType,
  Query extends z.ZodType,
  Body extends z.ZodType,
  Message,
  Answered = Message | Replayable<Message>,
> = {
  method: Method
  /** With `{name}` for parameters; `{sellerId}` must be the token's seller, and `{repeatedSellerId}` too. */
  path: string
  /** Other paths of the same route. */
  also?: readonly string[]
  /** The scope that the token needs; `any`: any token; `public`: no token. */
  scope: Scope | 'any' | 'public'
  operationId: string
  tag: string
  summary: string
  description?: string
  params?: Params
  query?: Query
  body?: BodyRule<Body>
  responses: Readonly<Record<number, ResponseRule>>
  /** Error codes of this operation besides those that every operation may answer. */
  problems?: readonly ProblemReason[]
  /** People read the answer: it is in the language that Accept-Language prefers. */
  translated?: true
  /** Machines ask it so often that it is not counted. */
  uncounted?: true
  /** A health check that costs next to nothing: it takes no place from other requests. */
  placeless?: true
  /** Its answer waits for another company, which may be slow. What is asked about may decide which one. */
  callsPartner?:
    | PartnerKind
    | ((asked: { sellerId: number; params: z.output<Params> }, deps: Deps) => Promise<PartnerKind>)
  /** For a repeatable route: the encoding of its answers, kept under an Idempotency-Key. */
  message?: Codec<Message>
  /** For a repeatable route whose body may hold a card: the service that keeps its answers. */
  keptBy?: CalledBy<'gateway'>
  handle(
    request: RouteRequest<z.output<Params>, z.output<Query>, z.output<Body>>,
    deps: Deps,
  ): Promise<Answered>
  present(message: Message, view: View): Answer
}

/** A route as data: the HTTP server, the OpenAPI document and the replay of kept answers are all made from it. */
export type Route = Definition<z.ZodType, z.ZodType, z.ZodType, unknown>

export function route<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Message>(
  definition: Definition<Params, Query, Body, Message, Message> & { message?: undefined },
): Route
/** A repeatable route says whether its answer was kept. */
export function route<Params extends z.ZodType, Query extends z.ZodType, Body extends z.ZodType, Message>(
  definition: Definition<Params, Query, Body, Message, Replayable<Message>> & { message: Codec<Message> },
): Route
export function route(definition: Route): Route {
  return definition
}

export function pathsOf({ path, also = [] }: Route): readonly string[] {
  return [path, ...also]
}
