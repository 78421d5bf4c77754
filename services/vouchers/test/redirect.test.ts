import { unavailable } from '@cofre/platform/errors'
import { callRpc } from '@cofre/platform/grpc/client'
import { RedirectOutcome, VoucherCardType } from '@cofre/proto/vouchers/v1/vouchers'
import { redirectOf } from './support/redirect'
import { newSeller, startVouchers, type TestVouchers } from './support/start-vouchers'
import { withKey } from './support/vouchers'

let vouchers: TestVouchers
beforeAll(async () => {
  vouchers = await startVouchers()
})
afterAll(() => vouchers.stop())

const begin = (brandSegment: string) =>
  callRpc(vouchers.client, vouchers.client.beginRedirect, {
    sellerId: newSeller(vouchers),
    brandSegment,
    cardType: VoucherCardType.MEAL,
    notificationUrl: 'https://seller.example/hook',
    cardReference: '',
  })

test.each(['alelo', 'VR', 'pluxee'])(
  'the redirect flow of %s, which has none, is refused',
  async (segment) => {
    await expect(begin(segment)).rejects.toMatchObject({
      kind: 'failed_precondition',
      reason: 'VOUCHER_BRAND_UNSUPPORTED',
    })
  },
)

test('the redirect flow of a brand that does not exist is not found', async () => {
  await expect(begin('caju')).rejects.toMatchObject({ kind: 'not_found' })
})

test('a repeat is answered as before, also while the vault is away', async () => {
  const asked = redirectOf(newSeller(vouchers))
  const first = await withKey('again', () => callRpc(vouchers.client, vouchers.client.beginRedirect, asked))
  // A new replica remembers no account.
  const { client } = await vouchers.startReplica()
  vouchers.hooks.onCall = () => {
    throw unavailable('The vault is away.')
  }
  try {
    expect(await withKey('again', () => callRpc(client, client.beginRedirect, asked))).toEqual(first)
    await expect(callRpc(client, client.beginRedirect, asked)).rejects.toMatchObject({ kind: 'unavailable' })
  } finally {
    vouchers.hooks.onCall = () => {}
  }
})

test('a link that nobody gave out can’t be used', async () => {
  const back = { brandSegment: 'alelo', state: 's', code: 'c', error: '', iss: '' }
  const { outcome } = await callRpc(vouchers.client, vouchers.client.finishRedirect, back)
  expect(outcome).toBe(RedirectOutcome.LINK_UNUSABLE)
})
