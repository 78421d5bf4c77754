import { readFileSync } from 'node:fs'
import { inflateSync } from 'node:zlib'
import { PixRefundStatus, PixStatus } from '@cofre/proto/invoices/v1/pix'
import { COPY_AND_PASTE, PIX_PUBLIC_ID, PIX_TOKEN } from '@cofre/testing/stand-ins/invoices/pix'
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader'
import { qrOutline } from '@cofre/platform/qr-code'
import { startGateway, type Gateway } from '../support/gateway'

let gateway: Gateway
beforeAll(async () => {
  gateway = await startGateway()
  const wasmBinary = readFileSync(require.resolve('zxing-wasm/reader/zxing_reader.wasm')).buffer
  await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true })
})
afterAll(() => gateway.stop())

const issue = (invoiceId: number) => gateway.call('POST', `/api/v2/invoices/${invoiceId}/pix`)

test('a new charge is answered with 201, and with 200 while it can be paid; it is read and listed', async () => {
  const picture = `${gateway.deps.baseUrl}/pix/${PIX_PUBLIC_ID}`
  const first = await issue(1)
  expect([first.status, first.body]).toEqual([
    201,
    {
      id: 9,
      status: 'REGISTERED',
      txid: '6f1e9c4a20d54c3b9a4e0d7b5f1c2e3a',
      copyAndPaste: COPY_AND_PASTE,
      qrCodeUrl: `${picture}.svg`,
      qrCodePngUrl: `${picture}.png`,
      amountInCents: 12_345,
      expiresAt: 1_767_225_600_000,
    },
  ])
  expect((await issue(1)).status).toBe(200)
  const path = new URL(first.headers.get('location') ?? '').pathname
  expect((await gateway.call('GET', path)).body).toEqual(first.body)
  expect((await gateway.call('GET', '/api/v2/invoices/1/pix')).body).toEqual([first.body])
  expect((await gateway.call('GET', '/api/v2/invoices/2/pix/9')).status).toBe(404)
})

test('a charge without an answer of the bank has no code, and Retry-After', async () => {
  const { next } = gateway.invoices.pix
  next.status = PixStatus.PENDING
  const { status, headers, body } = await issue(3)
  next.status = PixStatus.REGISTERED
  expect([status, headers.get('retry-after'), body]).toMatchObject([201, '2', { copyAndPaste: null }])
})

/** The text that a scanner reads in dots, dark ones 0. */
async function scanned(width: number, grey: (at: number) => number): Promise<string | undefined> {
  const data = new Uint8ClampedArray(width * width * 4).fill(255)
  for (let at = 0; at < width * width; at += 1) data.fill(grey(at), at * 4, at * 4 + 3)
  const image = { data, width, height: width, colorSpace: 'srgb' as const }
  const [found] = await readBarcodes(image, { formats: ['QRCode'] })
  return found?.text
}

test('a scanner reads the copy-and-paste text from the PNG', async () => {
  const answer = await fetch(`${gateway.url}/pix/${PIX_PUBLIC_ID}.png`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png'])
  const png = Buffer.from(await answer.arrayBuffer())
  const found = await readBarcodes(new Uint8Array(png), { formats: ['QRCode'] })
  expect(found.map(({ text, ecLevel }) => [text, ecLevel])).toEqual([[COPY_AND_PASTE, 'M']])
  // Four light modules of eight dots: no line of the margin has a dark dot.
  const width = png.readUInt32BE(16)
  const length = png.readUInt32BE(33)
  const lines = inflateSync(png.subarray(41, 41 + length))
  const margin = lines.subarray(0, 32 * (1 + width / 8))
  expect(margin.filter((byte) => byte !== 0 && byte !== 255)).toHaveLength(0)
})

test('a scanner reads the copy-and-paste text from the SVG', async () => {
  const answer = await fetch(`${gateway.url}/pix/${PIX_PUBLIC_ID}.svg`)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/svg+xml'])
  const { size, path } = qrOutline(COPY_AND_PASTE)
  expect(await answer.text()).toContain(`viewBox="0 0 ${size} ${size}"`)
  const dark = new Set<number>()
  for (const [, x, y, length] of path.matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g)) {
    for (let at = 0; at < Number(length); at += 1) dark.add(Number(y) * size + Number(x) + at)
  }
  const scale = 4
  const width = size * scale
  const grey = (at: number) => {
    const [x, y] = [Math.floor((at % width) / scale), Math.floor(Math.floor(at / width) / scale)]
    return dark.has(y * size + x) ? 0 : 255
  }
  expect(await scanned(width, grey)).toBe(COPY_AND_PASTE)
})

test.each(['unknown-public-id-0000.svg', `${PIX_PUBLIC_ID}.gif`, PIX_PUBLIC_ID])(
  'there is no picture at %s',
  async (file) => {
    expect((await fetch(`${gateway.url}/pix/${file}`)).status).toBe(404)
  },
)

const tell = (token: string, body: string) =>
  fetch(`${gateway.url}/partners/pix/${token}/pix`, { method: 'POST', body })

test('a notice of the bank goes to the service, and only under the secret of an account', async () => {
  expect((await tell(PIX_TOKEN, '{"pix":[]}')).status).toBe(204)
  expect((await tell('n'.repeat(44), '{"pix":[]}')).status).toBe(404)
  expect((await tell('short', '{"pix":[]}')).status).toBe(404)
  expect(gateway.invoices.pix.told.map(({ body }) => body.toString())).toEqual(['{"pix":[]}'])
  expect((await tell(PIX_TOKEN, 'x'.repeat(512 * 1024 + 1))).status).toBe(413)
})

const refund = (invoiceId: number, body: object) =>
  gateway.call('POST', `/api/v2/invoices/${invoiceId}/refunds`, { body })

test('a refund is answered with 201, read at its Location and listed', async () => {
  const endToEndId = 'E9999900820260709121500f3a91c07b'
  const made = await refund(5, { amountInCents: 2_500, endToEndId, reason: 'Sold out.' })
  expect([made.status, made.body]).toEqual([
    201,
    {
      id: 1,
      invoiceId: 5,
      method: 'PIX',
      status: 'SUCCEEDED',
      amountInCents: 2_500,
      endToEndId,
      bankRefundId: '6f1e9c4a20d54c3b9a4e0d7b5f1c2e3a',
      origin: 'SELLER',
      nature: null,
      reason: 'Sold out.',
      failure: null,
      createdAt: 1_767_225_600_000,
      updatedAt: 1_767_225_600_000,
    },
  ])
  expect(made.headers.get('retry-after')).toBeNull()
  const path = new URL(made.headers.get('location') ?? '').pathname
  expect((await gateway.call('GET', path)).body).toEqual(made.body)
  expect((await gateway.call('GET', '/api/v2/invoices/5/refunds')).body).toEqual([made.body])
  expect((await gateway.call('GET', '/api/v2/invoices/6/refunds/1')).status).toBe(404)
})

test('a refund without an answer of the bank has Retry-After; one that the bank made says its nature', async () => {
  const { nextRefund } = gateway.invoices.pix
  nextRefund.status = PixRefundStatus.PENDING
  nextRefund.nature = 'MED_FRAUDE'
  const { headers, body } = await refund(7, {})
  expect([headers.get('retry-after'), body]).toMatchObject(['2', { origin: 'BANK', nature: 'MED_FRAUDE' }])
})

test.each([
  [{ amountInCents: 0 }, '#/amountInCents'],
  [{ endToEndId: 'E1' }, '#/endToEndId'],
  [{ reason: ' ' }, '#/reason'],
])('a refund with %j is refused at %s', async (body, pointer) => {
  expect(await refund(8, body)).toMatchObject({ status: 400, body: { errors: [{ pointer }] } })
})
