import { randomBytes } from 'node:crypto'
import { Outcome } from '@cofre/proto/vault/v1/vault'
import { forwardFileByVault } from '@cofre/platform/outbound/vault-forward'
import type { Pair } from '@cofre/testing/certificates'
import { eventually } from '@cofre/testing/testing'
import {
  apiCalls,
  askCase,
  giveTokens,
  newSeller,
  OUTCOME,
  putOauthAccount,
  sendFile,
} from '../support/oauth'
import { startWorld, type Vault, type World } from '../support/vault'

let world: World
let vault: Vault
let pair: Pair
let sellerId: number
beforeAll(async () => {
  world = await startWorld()
  vault = await world.startVault()
  pair = await world.authority.issue('shop-1')
})
afterAll(() => world.stop())
beforeEach(async () => {
  world.partner.onHead = undefined
  world.logged.length = 0
  sellerId = newSeller()
  for (const partner of ['disputes', 'pix-bank']) await putOauthAccount(vault, sellerId, pair, { partner })
})

/** A PDF as far as anybody can see, with every byte in it. */
const FILE = Buffer.concat([
  Buffer.from('%PDF-1.4\n'),
  Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
])
const inPieces = (file: Buffer, size: number) =>
  Array.from({ length: Math.ceil(file.length / size) }, (_, nth) =>
    file.subarray(nth * size, (nth + 1) * size),
  )

test('a file goes out as a part of a form, byte for byte, beside the other fields', async () => {
  giveTokens(world)
  const seen: Buffer[] = []
  world.partner.onBody = (bytes) => void seen.push(bytes)
  const sent = await sendFile(vault, sellerId, inPieces(FILE, 7))
  expect(sent).toMatchObject({ ...OUTCOME.answered, answer: { status: 200 } })

  const [call] = apiCalls(world)
  expect(call).toMatchObject({ method: 'PUT', path: '/api/refuse', certificate: 'shop-1' })
  const type = call?.headers['content-type'] ?? ''
  const form = await new Response(new Uint8Array(seen.at(-1) ?? []), {
    headers: { 'content-type': type },
  }).formData()
  expect([form.get('idCase'), form.get('reason')]).toEqual(['77', 'Entregue "ontem"'])
  const file = form.get('file') as File
  expect([file.name, file.type]).toEqual(['77.pdf', 'application/pdf'])
  expect(Buffer.from(await file.arrayBuffer()).equals(FILE)).toBe(true)
})

test.each([1, 2, 3, 64, 1_000])('a file goes out in base64, in pieces of %d bytes', async (size) => {
  giveTokens(world)
  const sent = await sendFile(vault, sellerId, inPieces(FILE, size), { partner: 'pix-bank' })
  expect(sent).toMatchObject(OUTCOME.answered)
  expect(JSON.parse(apiCalls(world)[0]?.body ?? '')).toEqual({
    idCase: '77',
    reason: 'Entregue "ontem"',
    file: [FILE.toString('base64')],
  })
})

test('a file beyond the limit is refused, and the partner never gets its end', async () => {
  giveTokens(world)
  const large = inPieces(randomBytes(1_000_001), 64 * 1024)
  await expect(sendFile(vault, sellerId, large)).rejects.toMatchObject({ reason: 'BODY_TOO_LARGE' })
  expect(apiCalls(world)).toEqual([])
  expect(await sendFile(vault, sellerId, inPieces(randomBytes(1_000_000), 64 * 1024))).toMatchObject(
    OUTCOME.answered,
  )
})

test('a caller that goes away in the middle of a file has sent nothing', async () => {
  giveTokens(world)
  const heads: unknown[] = []
  world.partner.onHead = ({ url }) => void heads.push(url)
  async function* broken() {
    yield FILE
    yield FILE
    await eventually(() => expect(heads).toContain('/api/refuse'))
    throw new Error('the caller is gone')
  }
  await expect(sendFile(vault, sellerId, broken())).rejects.toBeDefined()
  await eventually(() => expect(world.logged.join('')).toContain('"outcome":"not_sent"'))
  expect(apiCalls(world)).toEqual([])
})

test('a partner that cuts the line before the end of a file can’t have acted; after it, nobody knows', async () => {
  const given = giveTokens(world)
  await askCase(vault, sellerId)
  world.partner.cut = 0
  world.partner.onHead = (request) => void (request.url === '/api/refuse' && request.socket.destroy())
  const slow = async function* () {
    yield FILE
    await eventually(() => expect(world.partner.cut).toBeGreaterThan(0))
    yield FILE
  }
  expect(await sendFile(vault, sellerId, slow())).toMatchObject(OUTCOME.notSent)

  world.partner.onHead = undefined
  world.partner.respond = (response) => void response.socket?.destroy()
  expect(await sendFile(vault, sellerId, [FILE])).toMatchObject({ outcome: Outcome.UNKNOWN })
  expect(given.asked).toBe(1)
})

test('a kept token that the partner refuses: nothing was done, and the repeat gets a new one', async () => {
  const given = giveTokens(world)
  await askCase(vault, sellerId)
  given.admits = (token) => token === 'canary-token-2'
  expect(await sendFile(vault, sellerId, [FILE])).toMatchObject({
    ...OUTCOME.notSent,
    reason: 'the access token had ended',
  })
  expect(await sendFile(vault, sellerId, [FILE])).toMatchObject(OUTCOME.answered)
})

test.each([
  ['another route', { path: '/accept' }, 'permission_denied'],
  ['a file’s route of another partner', { partner: 'acquirer' }, 'permission_denied'],
  ['a name that could leave its place', { fileName: 'a"; name="b' }, 'invalid_argument'],
  ['a media type with a line break', { contentType: 'a/b\r\nx: y' }, 'invalid_argument'],
  ['fields that a form has no place for', { fields: Buffer.from('{"a":[1]}') }, 'invalid_argument'],
  ['a field in the file’s place', { fields: Buffer.from('{"file":"x"}') }, 'invalid_argument'],
  ['no time', { timeoutMs: 0 }, 'invalid_argument'],
])('refused: %s', async (_, change, kind) => {
  giveTokens(world)
  await expect(sendFile(vault, sellerId, [FILE], change)).rejects.toMatchObject({ kind })
  expect(world.partner.received).toEqual([])
})

test('a seller without an account has no file sent', async () => {
  await expect(sendFile(vault, newSeller(), [FILE])).rejects.toMatchObject({ reason: 'NO_ESTABLISHMENT' })
})

describe('by the platform’s function', () => {
  const sending = (chunks: AsyncIterable<Buffer>, change: object = {}) =>
    forwardFileByVault(
      vault.orders,
      {
        sellerId,
        partner: 'disputes',
        method: 'PUT',
        path: '/refuse',
        fields: { idCase: '77' },
        fileName: '77.pdf',
        contentType: 'application/pdf',
        account: '',
        chunks,
        ...change,
      },
      Date.now() + 10_000,
    )

  test('a file is sent whole', async () => {
    giveTokens(world)
    async function* whole() {
      for (const piece of inPieces(randomBytes(1_000_000), 64 * 1024)) yield piece
    }
    expect(await sending(whole())).toMatchObject({ result: 'answered', answer: { status: 200 } })
  })

  test('a file that breaks off was not sent, and a refusal says why', async () => {
    giveTokens(world)
    async function* broken() {
      yield FILE
      throw new Error('the upload broke off')
    }
    expect(await sending(broken())).toEqual({ result: 'not_sent' })
    async function* large() {
      for (let sent = 0; sent <= 1_000_000; sent += 64 * 1024) yield Buffer.alloc(64 * 1024)
    }
    expect(await sending(large())).toMatchObject({
      result: 'not_sent',
      refusal: { reason: 'BODY_TOO_LARGE' },
    })
    expect(apiCalls(world)).toEqual([])
  })
})
