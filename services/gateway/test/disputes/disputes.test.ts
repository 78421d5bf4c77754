import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Dispute } from '@cofre/proto/orders/v1/disputes'
import { checkDocumented } from '../support/documented'
import { startGateway, type Gateway } from '../support/gateway'

const DISPUTES = '/api/v2/disputes'
const SECRET = 'a'.repeat(40)
const PDF = Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(300_000)])

let gateway: Gateway
let dispute: Dispute
beforeAll(async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'cofre-')), 'secret')
  writeFileSync(file, `${SECRET}\n`)
  gateway = await startGateway({ ACQUIRER_WEBHOOK_SECRET_FILE: file })
})
beforeEach(() => {
  dispute = gateway.orders.disputes.open(gateway.sellerId, { chargeId: 981, orderReference: 'A-1' })
})
afterAll(() => gateway.stop())

type Field = [name: string, value: string | Blob, fileName?: string]
const pdf = (bytes: Buffer = PDF) => new Blob([new Uint8Array(bytes)], { type: 'application/pdf' })
const REASON: Field = ['reason', 'O titular assinou a entrega.']

async function send(
  fields: Field[],
  { id = dispute.id, headers = {} }: { id?: number; headers?: Record<string, string> } = {},
) {
  const form = new FormData()
  for (const [name, value, fileName] of fields)
    if (typeof value === 'string') form.append(name, value)
    else form.append(name, value, fileName ?? 'entrega.pdf')
  const answer = await fetch(`${gateway.url}${DISPUTES}/${id}/evidence`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.token}`, ...headers },
    body: form,
  })
  const text = await answer.text()
  const body = JSON.parse(text)
  checkDocumented('POST', `${DISPUTES}/${id}/evidence`, {
    status: answer.status,
    headers: answer.headers,
    body,
    text,
  })
  return { status: answer.status, headers: answer.headers, body }
}

test('a dispute is read, and listed by its filters', async () => {
  const read = await gateway.call('GET', `${DISPUTES}/${dispute.id}`)
  expect(read).toMatchObject({
    status: 200,
    body: {
      id: dispute.id,
      chargeId: 981,
      status: 'NEEDS_RESPONSE',
      amount: 10_000,
      respondBy: '2026-01-12',
    },
  })
  const filters =
    'status=NEEDS_RESPONSE,LOST&chargeId=981&openedFrom=2026-01-01&openedTo=5&respondByTo=2026-01-12'
  const page = await gateway.call('GET', `${DISPUTES}?${filters}`)
  expect(page.body.content[0]).toEqual(read.body)
  expect(gateway.orders.disputes.asked.list.at(-1)).toMatchObject({
    chargeId: 981,
    openedFrom: Date.parse('2026-01-01T03:00:00Z'),
    openedTo: 5,
    respondByTo: '2026-01-12',
  })
  const other = gateway.orders.disputes.open(gateway.sellerId + 1)
  expect((await gateway.call('GET', `${DISPUTES}/${other.id}`)).status).toBe(404)
})

test('a dispute is accepted, once under a key', async () => {
  const path = `${DISPUTES}/${dispute.id}/accept`
  const headers = { 'idempotency-key': 'accept-1' }
  const accepted = await gateway.call('POST', path, { body: { answeredBy: 'ana@shop.example' }, headers })
  expect(accepted).toMatchObject({ status: 201, body: { status: 'ACCEPTED' } })
  expect(accepted.headers.get('location')).toBe(`https://pay.example.com${DISPUTES}/${dispute.id}`)
  const again = await gateway.call('POST', path, { body: { answeredBy: 'ana@shop.example' }, headers })
  expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([accepted.body, 'true'])
  expect(await gateway.call('POST', path)).toMatchObject({
    status: 422,
    body: { code: 'INVALID_DISPUTE_STATE' },
  })
  expect(gateway.orders.disputes.asked.accepts.at(-1)?.answeredBy).toBe(
    `seller-${gateway.sellerId}@pay.example.com`,
  )
})

test('a form with a file contests a dispute', async () => {
  const sent = await send([REASON, ['answeredBy', 'ana@shop.example'], ['file', pdf(), 'entrega é.pdf']])
  expect(sent).toMatchObject({
    status: 201,
    body: {
      status: 'UNDER_REVIEW',
      evidence: {
        fileName: 'entrega é.pdf',
        contentType: 'application/pdf',
        size: PDF.length,
        reason: REASON[1],
      },
    },
  })
})

test('a repeat under a key has the same file; another file is another request', async () => {
  const headers = { 'idempotency-key': `evidence-${dispute.id}` }
  const first = await send([REASON, ['file', pdf()]], { headers })
  const again = await send([REASON, ['file', pdf()]], { headers })
  expect([again.status, again.body, again.headers.get('idempotency-replayed')]).toEqual([
    201,
    first.body,
    'true',
  ])
  const other = Buffer.concat([PDF.subarray(0, -1), Buffer.from('!')])
  expect(await send([REASON, ['file', pdf(other)]], { headers })).toMatchObject({
    status: 422,
    body: { code: 'IDEMPOTENCY_KEY_REUSED' },
  })
})

test.each<[string, () => Field[], number, object]>([
  [
    'no file',
    () => [REASON],
    400,
    { code: 'VALIDATION_FAILED', errors: [{ pointer: '#/file', code: 'REQUIRED' }] },
  ],
  [
    'a reason that stands twice',
    () => [REASON, REASON, ['file', pdf()]],
    400,
    { code: 'MALFORMED_REQUEST', detail: expect.stringContaining('stands twice') },
  ],
  [
    'no reason',
    () => [['file', pdf()]],
    400,
    { code: 'VALIDATION_FAILED', errors: [{ pointer: '#/reason' }] },
  ],
  ['a reason behind the file', () => [['file', pdf()], REASON], 400, { errors: [{ pointer: '#/reason' }] }],
  [
    'a field behind the file',
    () => [REASON, ['file', pdf()], ['more', 'x']],
    400,
    { code: 'MALFORMED_REQUEST' },
  ],
  [
    'two files',
    () => [REASON, ['file', pdf()], ['file', pdf()]],
    400,
    { code: 'MALFORMED_REQUEST', detail: expect.stringContaining('more than one file') },
  ],
  ['a file in another field', () => [REASON, ['proof', pdf()]], 400, { code: 'MALFORMED_REQUEST' }],
  ['an unknown field', () => [REASON, ['x', 'y'], ['file', pdf()]], 400, { code: 'UNKNOWN_FIELD' }],
  [
    'a long reason',
    () => [
      ['reason', 'x'.repeat(101)],
      ['file', pdf()],
    ],
    400,
    { errors: [{ pointer: '#/reason' }] },
  ],
  [
    'a very long field',
    () => [
      ['reason', 'x'.repeat(5_000)],
      ['file', pdf()],
    ],
    400,
    { code: 'MALFORMED_REQUEST' },
  ],
  [
    'a card number in the reason',
    () => [
      ['reason', 'Cartão 4111 1111 1111 1111'],
      ['file', pdf()],
    ],
    400,
    { errors: [{ pointer: '#/reason', code: 'CARD_DATA_MISPLACED' }] },
  ],
])('%s is refused', async (_, fields, status, body) => {
  const answer = await send(fields())
  expect(answer).toMatchObject({ status, body })
  expect(JSON.stringify(answer.body)).not.toContain('4111 1111')
  expect(gateway.orders.disputes.disputes.get(dispute.id)?.evidence).toBeUndefined()
})

test('a file of 10 MB is refused with the limit', async () => {
  const answer = await send([REASON, ['file', pdf(Buffer.concat([PDF, Buffer.alloc(10 * 1024 * 1024)]))]])
  expect(answer).toMatchObject({
    status: 413,
    body: { code: 'BODY_TOO_LARGE', detail: expect.stringContaining('8388608') },
  })
  expect(gateway.orders.disputes.disputes.get(dispute.id)?.evidence).toBeUndefined()
})

test('a client that waits for 100 Continue sends its file then, and none that is too large', async () => {
  const body = Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; name="reason"\r\n\r\nok\r\n`),
    Buffer.from(
      `--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n`,
    ),
    PDF,
    Buffer.from('\r\n--b--\r\n'),
  ])
  expect(await expectContinue(body.length, body)).toMatch(/^HTTP\/1.1 100 .*HTTP\/1.1 201 /s)
  expect(await expectContinue(20 * 1024 * 1024, body)).toMatch(/^HTTP\/1.1 413 /)
})

function expectContinue(length: number, body: Buffer): Promise<string> {
  const head = [
    `POST ${DISPUTES}/${dispute.id}/evidence HTTP/1.1`,
    'Host: x',
    'Connection: close',
    `Authorization: Bearer ${gateway.token}`,
    'Content-Type: multipart/form-data; boundary=b',
    `Content-Length: ${length}`,
    'Expect: 100-continue',
  ]
  return new Promise((resolve, reject) => {
    let answer = ''
    const socket = connect(gateway.port, '127.0.0.1', () => socket.write(`${head.join('\r\n')}\r\n\r\n`))
    socket.on('data', (bytes: Buffer) => {
      answer += bytes.toString()
      if (answer.startsWith('HTTP/1.1 100') && !answer.includes('HTTP/1.1 201')) socket.write(body)
    })
    socket.on('close', () => resolve(answer)).on('error', reject)
  })
}

test('a body that is no form is refused, and one that breaks off changes nothing', async () => {
  const path = `${DISPUTES}/${dispute.id}/evidence`
  expect(await gateway.call('POST', path, { body: { reason: 'x' } })).toMatchObject({
    status: 415,
    body: { code: 'UNSUPPORTED_MEDIA_TYPE' },
  })
  const broken = await fetch(`${gateway.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${gateway.token}`, 'content-type': 'multipart/form-data; boundary=b' },
    body: '--b\r\nContent-Disposition: form-data; name="reason"\r\n\r\nok\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nhalf',
  })
  expect([broken.status, ((await broken.json()) as { code: string }).code]).toEqual([
    400,
    'MALFORMED_REQUEST',
  ])
  expect(gateway.orders.disputes.disputes.get(dispute.id)?.evidence).toBeUndefined()
})

test("the acquirer's call says only when to ask", async () => {
  const call = async (secret: string, body: string) =>
    (await fetch(`${gateway.url}/partners/acquirer/disputes/${secret}`, { method: 'POST', body })).status
  const { hints } = gateway.orders.disputes
  const one = JSON.stringify({
    establishmentNumber: 2312054625,
    idcase: 6035477,
    message: 'A favor do Emissor',
  })
  expect(await call(SECRET, one)).toBe(200)
  const many = JSON.stringify({ content: [{ establishmentNumber: '1024162076', amount: 1 }], last: false })
  expect(await call(SECRET, many)).toBe(200)
  expect(hints).toEqual(['2312054625', '1024162076'])
  expect([await call(SECRET, 'nonsense'), await call(SECRET, '{"establishmentNumber":"1 OR 1"}')]).toEqual([
    200, 200,
  ])
  expect(await call(createHash('sha256').digest('hex'), one)).toBe(404)
  expect(await call(SECRET, JSON.stringify({ establishmentNumber: '1', more: 'x'.repeat(70_000) }))).toBe(413)
  expect(hints).toHaveLength(2)
})
