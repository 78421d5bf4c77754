import { join } from 'node:path'
import type { Loop } from '@cofre/platform/service/lifecycle'
import { createLog } from '@cofre/platform/telemetry/log'
import {
  UserLettersClient,
  UserLettersService,
  type DisputeNotice,
  type TellOfDisputeRequest,
} from '@cofre/proto/invoices/v1/user_letters'
import { standIn } from '@cofre/testing/stand-in'
import { openTestNetwork, type TestNetwork } from '@cofre/testing/test-network'
import { createTestDatabase, eventually, type TestDatabase } from '@cofre/testing/testing'
import { insertPortalUser } from '../../src/sellers/portal-user-store'
import { insertSeller } from '../../src/sellers/seller-store'
import { startTellingDisputed } from '../../src/sellers/tell-disputed'

const log = createLog('test', 'silent')

let database: TestDatabase
let network: TestNetwork
let loops: Loop[]
/** The answer of invoices: a notice that is not over comes again. */
let waiting: DisputeNotice[]
let asked: TellOfDisputeRequest[]
let isAway: (request: TellOfDisputeRequest) => boolean
let services: { userLetters: UserLettersClient }
beforeAll(async () => {
  database = await createTestDatabase(join(__dirname, '../../migrations'))
  network = await openTestNetwork()
  const letters = standIn(log, UserLettersService, {
    takeDisputeNotices: async () => ({ notices: waiting }),
    tellOfDispute: async (request) => {
      asked.push(request)
      if (isAway(request)) throw new Error('away')
      if (request.isLast) waiting = waiting.filter(({ id }) => id !== request.noticeId)
      return {}
    },
  })
  const { address } = await network.serve('invoices', [letters])
  services = { userLetters: await network.clientOf(UserLettersClient, address, 'gateway') }
})
beforeEach(() => {
  loops = []
  waiting = []
  asked = []
  isAway = () => false
})
afterEach(() => Promise.all(loops.map((each) => each.stop())))
afterAll(async () => {
  await network.close()
  await database.drop()
})

const start = () =>
  loops.push(startTellingDisputed({ pool: database.pool, log, services, config: { userLanguage: 'en' } }, 20))
async function sellerWith(...emails: string[]): Promise<number> {
  const { id: sellerId } = await insertSeller(database.pool, 'Loja')
  for (const email of emails) await insertPortalUser(database.pool, { sellerId, email, passwordHash: 'x' })
  return sellerId
}
const untilOver = () => eventually(() => expect(waiting).toEqual([]))

test('the users of the seller are named, in the installation’s language, and then the notice is over', async () => {
  await sellerWith('other@example.com')
  const sellerId = await sellerWith('bia@shop.example', 'leo@shop.example')
  waiting = [{ id: 3, sellerId }]
  start()
  await untilOver()
  expect(asked.slice(0, 2)).toEqual([
    {
      sellerId,
      noticeId: 3,
      recipients: ['bia@shop.example', 'leo@shop.example'],
      language: 'en',
      isLast: false,
    },
    { sellerId, noticeId: 3, recipients: [], language: 'en', isLast: true },
  ])
})

test('while invoices is away a notice stays, and another seller’s goes; a seller without users ends it', async () => {
  const [one, other, nobody] = [
    await sellerWith('um@shop.example'),
    await sellerWith('dois@shop.example'),
    await sellerWith(),
  ]
  waiting = [one, other, nobody].map((sellerId, nth) => ({ id: nth + 1, sellerId }))
  isAway = ({ sellerId }) => sellerId === one
  start()
  await eventually(() => expect(waiting).toEqual([{ id: 1, sellerId: one }]))
  isAway = () => false
  await untilOver()
})
