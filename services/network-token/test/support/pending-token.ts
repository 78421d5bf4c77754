import type { NetworkToken } from '../../src/token/network-token'
import type { Times } from '../../src/token/resolution'

/** Requested at time 0 and accepted by the token service, which has not reported an outcome yet. */
export const TOKEN: NetworkToken = {
  token: 'a'.repeat(64),
  sellerId: 9,
  merchantId: 'm',
  reference: 'r',
  partnerId: 'p',
  status: 'PENDING',
  reason: null,
  card: {
    bin: '411111',
    lastFour: '1111',
    brand: 'VISA',
    expirationYear: 2049,
    expirationMonth: 12,
    holderName: 'ANA',
  },
  cardToken: null,
  cardIsCurrent: true,
  notificationUrl: 'https://shop.example',
  dispatchDeadline: 1_000,
  cleanup: null,
  askAt: 0,
  version: 1,
  sequence: 0,
  createdAt: 0,
  updatedAt: 0,
}

export const TIMES: Times = {
  at: 5_000,
  pendingMaxMs: 900_000,
  graceMs: 2_000,
  firstAskMs: 100,
  watchMs: 60_000,
}
