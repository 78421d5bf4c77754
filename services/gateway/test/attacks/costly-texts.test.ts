import { LONGEST_TEXT } from '@cofre/platform/card/card-number'
import { z } from 'zod'
import { misplacedCards } from '../../src/http/misplaced-cards'
import { routes } from '../../src/api/all-routes'
import { card } from '../support/bodies'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
})
afterAll(() => gateway.stop())

const LONG = '0 '.repeat(120_000)
const NUMBER = '4111111111111111'

test.each(['/healthz', '/readyz'])('%s reads no query: nobody counts who asks', async (path) => {
  const asked = await fetch(`${gateway.url}${path}?a=${'0+'.repeat(7_000)}&number=${NUMBER}`)
  const plain = await fetch(`${gateway.url}${path}`)
  expect([asked.status, await asked.text()]).toEqual([plain.status, await plain.text()])
  expect(asked.status).not.toBe(400)
})

const DOCUMENT = '12345678909'

test('a text that is too long is refused for its length, whatever it holds', async () => {
  for (const name of [LONG, `${NUMBER} `.repeat(16), `${NUMBER} `.repeat(14_000)]) {
    const { status, body } = await gateway.call('POST', '/api/v2/customers', {
      body: { name, document: DOCUMENT },
    })
    expect([status, body.errors]).toMatchObject([400, [{ pointer: '#/name', code: 'LENGTH' }]])
  }
  const { body } = await gateway.call('GET', `/api/v2/customers?name=${`${NUMBER}+`.repeat(16)}`)
  expect(body.errors).toMatchObject([{ pointer: '#/name', code: 'LENGTH' }])
})

test('the name of a card’s holder is refused for its length by the vault, and gets no card token', async () => {
  const body = { ...card, holder: { name: LONG } }
  const answer = await gateway.call('POST', '/api/v2/cards/tokens', { body })
  expect([answer.status, answer.body.errors]).toMatchObject([
    400,
    [{ pointer: '#/holder/name', code: 'LENGTH' }],
  ])
  expect(answer.text.length).toBeLessThan(2_000)
})

test('what no schema knows is refused by its name, and a long text of it is not searched', async () => {
  const search = jest.spyOn(String.prototype, 'codePointAt')
  expect(misplacedCards({ unknown: `${NUMBER} `.repeat(14_000), [LONG]: 1 })).toEqual([])
  expect(search).not.toHaveBeenCalled()
  search.mockRestore()
  const sent = { name: 'Ana', document: DOCUMENT, note: LONG }
  const { status, body } = await gateway.call('POST', '/api/v2/customers', { body: sent })
  expect([status, body.errors]).toMatchObject([400, [{ pointer: '#/note', code: 'UNKNOWN_FIELD' }]])
})

test('no schema that the gateway checks takes a text that is too long to be searched', () => {
  const unbounded: string[] = []
  const walk = (schema: unknown, at: string): void => {
    if (typeof schema !== 'object' || schema === null) return
    const {
      type,
      format,
      maxLength = Infinity,
      pattern,
      enum: names,
      const: only,
    } = schema as Record<string, never>
    // A file passes through, unread.
    if (format === 'binary') return
    const isText = type === 'string' || (Array.isArray(type) && (type as string[]).includes('string'))
    if (isText && maxLength > LONGEST_TEXT && !pattern && !names && only === undefined) unbounded.push(at)
    for (const [name, inner] of Object.entries(schema)) walk(inner, `${at}/${name}`)
  }
  for (const { body, query, operationId } of routes)
    for (const schema of [body?.schema, query])
      if (schema) walk(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), operationId)
  // Those of a card go to the vault.
  expect(unbounded.filter((at) => !/\/(cardNumber|cvv|encryptedCard|encryptedCvv)$/.test(at))).toEqual([])
})

test('a query of thousands of parameters is read in one pass', async () => {
  const names = Array.from({ length: 2_000 }, (_, n) => `a${n}`)
  const all = jest.spyOn(URLSearchParams.prototype, 'getAll')
  const { status, body } = await gateway.call('GET', `/api/v2/charges?${names.join('&')}`)
  expect([status, body.code]).toEqual([400, 'UNKNOWN_FIELD'])
  expect(all).not.toHaveBeenCalled()
  all.mockRestore()
})
