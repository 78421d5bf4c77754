import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PROBLEM_CODES } from '../../src/http/problem-codes'
import { routes } from '../../src/api/all-routes'
import { startGateway, type Gateway } from '../support/gateway'

type Operation = {
  operationId: string
  security: object[]
  parameters: { $ref?: string }[]
  responses: Record<string, { content?: object }>
}
let gateway: Gateway
let document: {
  openapi: string
  paths: Record<string, Record<string, Operation>>
  components: { schemas: object }
}

beforeAll(async () => {
  gateway = await startGateway()
  document = (await gateway.call('GET', '/openapi.json', { token: null })).body
})
afterAll(() => gateway.stop())

const operations = () => Object.values(document.paths).flatMap((path) => Object.values(path))

test('only operations with a translated answer have the parameter Accept-Language', () => {
  const translated = operations().filter(({ parameters }) =>
    parameters.some(({ $ref }) => $ref === '#/components/parameters/AcceptLanguage'),
  )
  expect(translated.map(({ operationId }) => operationId)).toEqual([
    'exportCharges',
    'exportRecipientEntries',
    'exportInvoices',
    'exportMovements',
    'exportAging',
  ])
})

test('the document is valid OpenAPI 3.1', () => {
  expect(document.openapi).toBe('3.1.0')
  const folder = mkdtempSync(join(tmpdir(), 'openapi-'))
  const file = join(folder, 'openapi.json')
  writeFileSync(file, JSON.stringify(document))
  const cli = join(
    __dirname,
    '../../../../node_modules/@seriousme/openapi-schema-validator/bin/validate-api-cli.js',
  )
  try {
    expect(JSON.parse(execFileSync(process.execPath, [cli, file], { encoding: 'utf8' }))).toEqual({
      valid: true,
    })
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('every reference leads somewhere', () => {
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/components\/(\w+)\/([^"]+)"/g)
  for (const [, kind = '', name = ''] of references) {
    expect(document.components).toHaveProperty([kind, name])
  }
})

test('every operation has an id of its own and lists its faults', () => {
  const ids = operations().map(({ operationId }) => operationId)
  expect(new Set(ids).size).toBe(ids.length)
  for (const { security, responses } of operations()) {
    expect(Object.keys(responses)).toContain('500')
    if (security.length > 0)
      expect(Object.keys(responses)).toEqual(expect.arrayContaining(['401', '429', '503']))
  }
})

test('every code that a route names is in the table, and on the page of codes', async () => {
  for (const code of routes.flatMap((route) => route.problems ?? []))
    expect(PROBLEM_CODES).toHaveProperty(code)
  const page = await gateway.call('GET', '/docs/errors', { token: null })
  for (const code of Object.keys(PROBLEM_CODES)) expect(page.text).toContain(`id="${code}"`)
})

test('no example contains a mere placeholder', () => {
  const bare = operations().flatMap(({ operationId, responses }) =>
    Object.entries(responses)
      .filter(([status]) => Number(status) < 400)
      .filter(([, { content = {} }]) => /"text"[,}\]]|"value":null/.test(JSON.stringify(content)))
      .map(([status]) => `${operationId} ${status}`),
  )
  expect(bare.filter((each) => !/^get(Jwks|OpenApi|EncryptionKey)/.test(each))).toEqual([])
})
