import { problemSchema, type Problem } from '@cofre/api/problem'
import { authorize, cardEndingIn, cardFields, discard } from '../journeys/system'
import { MARK } from './bad-values'
import { goodBody } from './good-bodies'
import { malformedRequests, type Malformed } from './malformed-requests'
import { operationsOf } from './operations'
import { withDatabase } from './places'
import { startProduct, type Answer, type Product } from './product'

const AT_ONCE = 8
let product: Product
let requests: Malformed[]

beforeAll(async () => {
  product = await startProduct()
  const card = cardFields(cardEndingIn(0))
  const { body } = await product.api('POST', '/api/v2/cards/tokens', { body: card })
  const charge = await authorize(product, 0)
  const { operations, resolve } = await operationsOf(product)
  const known = {
    resolve,
    params: {
      sellerId: product.ready.sellerId,
      id: charge.body.id,
      card: body.id,
      key: 'none',
      brand: 'vr',
      orderReference: 'none',
      events: 'evt_none',
    },
    goodBody: (path: string) =>
      structuredClone(
        goodBody(path, { card, token: body.token, inbox: `${product.ready.sandboxInboxUrl}/p` }),
      ),
  }
  // An operation with the body of an earlier one is an alias, with the same members.
  const shown = new Set<unknown>()
  requests = operations.flatMap((operation) => {
    const isAlias = operation.body !== undefined && shown.has(JSON.stringify(operation.body))
    shown.add(JSON.stringify(operation.body))
    return malformedRequests(operation, known, isAlias)
  })
})
afterAll(async () => {
  await discard(product)
})

type Tried = { request: Malformed; answer: Answer; problem: Problem | undefined }
let tried: Tried[]

async function charges(): Promise<number> {
  const counted = await withDatabase(product.runDir, 'orders', (client) =>
    client.query('SELECT count(*)::int AS n FROM charges'),
  )
  return counted.rows[0].n
}

test('at least 300 malformed requests over all routes are each refused, and none has an effect', async () => {
  const before = await charges()
  tried = []
  const waiting = [...requests]
  await Promise.all(
    Array.from({ length: AT_ONCE }, async () => {
      for (let request = waiting.pop(); request; request = waiting.pop()) {
        const answer = await product.ask(request.method, request.path, request)
        tried.push({ request, answer, problem: problemOf(answer) })
      }
    }),
  )
  expect(tried.length).toBeGreaterThanOrEqual(300)
  expect(new Set(tried.map(({ request }) => request.what)).size).toBe(tried.length)
  expect(failing(({ answer }) => answer.status < 400 || answer.status >= 500)).toEqual([])
  expect(await charges()).toBe(before)
})

test('each answer is a problem as documented, and names its own status', () => {
  expect(
    failing(
      ({ answer, problem }) => problem?.status !== answer.status || !problem.requestId || !problem.type,
    ),
  ).toEqual([])
})

test('no answer repeats the value', () => {
  const shown = ({ headers, text }: Answer) => [...headers].join('\n') + text
  expect(failing(({ answer }) => shown(answer).includes(MARK))).toEqual([])
})

test('each answer names the member at fault', () => {
  const names = (problem: Problem | undefined, pointer: string) =>
    problem?.errors?.some((error) => `${error.pointer}/`.startsWith(`${pointer}/`)) ?? false
  expect(failing(({ request, problem }) => !!request.pointer && !names(problem, request.pointer))).toEqual([])
})

function problemOf({ headers, text }: Answer): Problem | undefined {
  if (!headers.get('content-type')?.startsWith('application/problem+json')) return undefined
  return problemSchema.safeParse(JSON.parse(text)).data
}

function failing(fails: (one: Tried) => boolean): string[] {
  return tried
    .filter(fails)
    .map(({ request, answer }) => `${request.what}: ${answer.status} ${answer.text.slice(0, 400)}`)
}
