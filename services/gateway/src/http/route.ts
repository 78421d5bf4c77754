import type { ProblemReason } from '@cofre/platform/reason'
import type { Replayable } from '@cofre/platform/grpc/replayable'
import type { Codec } from '@cofre/platform/idempotency/idempotency'
import type { CalledBy } from '@cofre/platform/service/services'
import type { CardKind, SealedCard } from '@cofre/proto/vault/v1/vault'
import type { z } from 'zod'
import type { Answer } from './answer'
import type { Deps } from '../deps'
import type { RecordedFields } from '../history/recorded-fields'
import type { Scope } from '@cofre/api/scopes'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

/**
 * How a body is read. `json`: parsed and checked here; an absent one is `{}` unless it is required. `card`: it may hold
 * card data, so its bytes go to the vault and the schema checks what comes back, masked; see also `takesTokens`.
 */
export type BodyRule<Schema extends z.ZodType> = {
  kind: 'json' | 'card'
  schema: Schema
  required: boolean
  /**
   * Of a `card` body: the handler takes the token of a kept card as it is named. A body without any card data then does
   * not go to the vault.
   */
  takesTokens?: true
  /** Of a `card` body: which cards it may name. Absent: payment cards. */
  cardKind?: CardKind
  /** Fields that the history may keep: no card, no person, no free text. Absent: none. */
  recorded?: RecordedFields<z.output<Schema>>
  /** Members of the body that are URLs to be called later. */
  urls?: readonly string[]
}

/** What a route needs to answer: its parts are already checked. */
export type RouteRequest<Params, Query, Body> = {
  /** The token's seller; 0 on a public route. */
  sellerId: number
  /** What the token may do; none: all. */
  scopes: readonly Scope[]
  params: Params
  query: Query
  body: Body
  /** The cards that the vault found in the body. */
  cards: readonly SealedCard[]
}

export const LANGUAGES = ['en', 'pt-BR'] as const
export type Language = (typeof LANGUAGES)[number]

/** What shapes an answer beside the message. */
export type View = {
  baseUrl: string
  /** The token's seller; 0 on a public route. */
  sellerId: number
  /** The query as it was checked. */
  query: unknown
  /** What a person reads is in this language. */
  language: Language
}

export type ResponseRule = {
  description: string
  schema?: z.ZodType
  /** What the reference shows, where the example of the schema is not what this operation answers. */
  example?: unknown
  /** Of a body that is no JSON. */
  contentType?: string
  headers?: readonly string[]
  /** Headers that only some states of the resource bring. */
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
  /** What the token must allow; `any` token; or `public`, no token. */
  scope: Scope | 'any' | 'public'
  operationId: string
  tag: string
  summary: string
  description?: string
  params?: Params
  query?: Query
  body?: BodyRule<Body>
  responses: Readonly<Record<number, ResponseRule>>
  /** Error codes that this operation adds to those that every one may answer. */
  problems?: readonly ProblemReason[]
  /** People read the answer: it is in the language that Accept-Language prefers. */
  translated?: true
  /** Asked so often by machines that it is not counted. */
  uncounted?: true
  /** It tells how we are, and costs next to nothing: it takes no place from others. */
  placeless?: true
  /** Its answer waits for another company, which may be slow. */
  callsPartner?: true
  /** Of a repeatable route: how its answers are kept under an Idempotency-Key. */
  message?: Codec<Message>
  /** Of a repeatable route whose body may hold a card: the service that keeps them. */
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
