import { join } from 'node:path'
import { DomainError } from '@cofre/platform/errors'
import type { Loop } from '@cofre/platform/service/lifecycle'
import { createLog } from '@cofre/platform/telemetry/log'
import {
  EndpointDisablingReason,
  UserLettersClient,
  UserLettersService,
  type TellOfDisabledEndpointRequest,
} from '@cofre/proto/invoices/v1/user_letters'
import {
  Disabling,
  DisablingReason,
  NotifierClient,
  NotifierService,
} from '@cofre/proto/notifier/v1/notifier'
import { standIn } from '@cofre/testing/stand-in'
import { openTestNetwork, type TestNetwork } from '@cofre/testing/test-network'
import { createTestDatabase, eventually, type TestDatabase } from '@cofre/testing/testing'
import { insertPortalUser } from '../../src/sellers/portal-user-store'
import { insertSeller } from '../../src/sellers/seller-store'
import { startTellingDisabled } from '../../src/sellers/tell-disabled'

const log = createLog('test', 'silent')

let database: TestDatabase
let network: TestNetwork
let loops: Loop[]
/** The notifier's answer: a disabling that is not acknowledged comes again. */
let waiting: Disabling[]
let told: TellOfDisabledEndpointRequest[]
let refusal: (() => Error) | undefined
let services: { notifier: NotifierClient; userLetters: UserLettersClient }
beforeAll(async () => {
  database = await createTestDatabase(join(__dirname, '../../migrations'))
  network = await openTestNetwork()
  const notifier = standIn(log, NotifierService, {
    takeDisablings: async () => ({ disablings: waiting }),
    acknowledgeDisabling: async ({ id }) => {
      waiting = waiting.filter((each) => each.id !== id)
      return {}
    },
  })
  const letters = standIn(log, UserLettersService, {
    tellOfDisabledEndpoint: async (request) => {
      told.push(request)
      if (refusal) throw refusal()
      return {}
    },
  })
  services = {
    notifier: await network.clientOf(
      NotifierClient,
      (await network.serve('notifier', [notifier])).address,
      'gateway',
    ),
    userLetters: await network.clientOf(
      UserLettersClient,
      (await network.serve('invoices', [letters])).address,
      'gateway',
    ),
  }
})
beforeEach(() => {
  loops = []
  waiting = []
  told = []
  refusal = undefined
})
afterEach(() => Promise.all(loops.map((each) => each.stop())))
afterAll(async () => {
  await network.close()
  await database.drop()
})

function start(userLanguage: 'pt-BR' | 'en' = 'pt-BR'): void {
  loops.push(startTellingDisabled({ pool: database.pool, log, services, config: { userLanguage } }, 20))
}
async function sellerWith(...emails: string[]): Promise<number> {
  const { id: sellerId } = await insertSeller(database.pool, 'Loja')
  for (const email of emails) await insertPortalUser(database.pool, { sellerId, email, passwordHash: 'x' })
  return sellerId
}
const disabled = (sellerId: number, id = '0b9e9a3a-6a4e-4a6e-9c40-5b0e6f6f7d11') =>
  Disabling.fromPartial({
    id,
    sellerId,
    endpointId: 5,
    url: 'https://shop.example/hooks',
    reason: DisablingReason.GONE,
    disabledAt: 1_767_225_600_000,
  })
const untilAcknowledged = () => eventually(() => expect(waiting).toEqual([]))

test('only the users of the seller are notified, and every try has the same cause', async () => {
  await sellerWith('other@example.com')
  const sellerId = await sellerWith('ana@shop.example', 'rui@shop.example')
  waiting = [disabled(sellerId)]
  start('en')
  await untilAcknowledged()
  expect(told[0]).toMatchObject({
    sellerId,
    cause: 'disabled 0b9e9a3a-6a4e-4a6e-9c40-5b0e6f6f7d11',
    recipients: ['ana@shop.example', 'rui@shop.example'],
    language: 'en',
    endpointId: 5,
    url: 'https://shop.example/hooks',
    reason: EndpointDisablingReason.GONE,
    disabledAt: 1_767_225_600_000,
  })
  expect(new Set(told.map(({ cause }) => cause)).size).toBe(1)
})

test('every user of a seller with many is notified, with at most 500 addresses in a request', async () => {
  await sellerWith('stranger@example.com')
  const sellerId = await sellerWith()
  await database.pool.query(
    `INSERT INTO portal_users (seller_id, email, password_hash)
     SELECT $1, 'user' || n || '@shop.example', 'x' FROM generate_series(1, 1001) AS n`,
    [sellerId],
  )
  waiting = [disabled(sellerId)]
  start()
  await untilAcknowledged()
  const everyone = Array.from({ length: 1_001 }, (_none, nth) => `user${nth + 1}@shop.example`)
  expect(new Set(told.flatMap(({ recipients }) => recipients))).toEqual(new Set(everyone))
  expect(Math.max(...told.map(({ recipients }) => recipients.length))).toBeLessThanOrEqual(500)
})

test('while invoices is away a disabling stays, and another seller is notified meanwhile', async () => {
  const [one, other] = [await sellerWith('one@shop.example'), await sellerWith('other@shop.example')]
  waiting = [disabled(one), disabled(other, '0b9e9a3a-6a4e-4a6e-9c40-5b0e6f6f7d12')]
  refusal = () =>
    told.at(-1)?.sellerId === one ? new Error('away') : new DomainError('not_found', 'NOT_FOUND', 'no')
  start()
  await eventually(() => expect(told.some(({ sellerId }) => sellerId === other)).toBe(true))
  expect(waiting).toHaveLength(2)
  refusal = undefined
  await untilAcknowledged()
})

test('a disabling is acknowledged for a seller without users, and without a mail server', async () => {
  waiting = [disabled(await sellerWith())]
  start()
  await untilAcknowledged()
  expect(told).toEqual([])
  refusal = () => new DomainError('failed_precondition', 'EMAIL_NOT_SET_UP', 'none')
  waiting = [disabled(await sellerWith('eva@shop.example'))]
  await untilAcknowledged()
  expect(told).toHaveLength(1)
})
