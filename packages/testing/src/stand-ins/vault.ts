import { createHmac } from 'node:crypto'
import { notFound, type FieldError } from '@cofre/platform/errors'
import type { ServedService } from '@cofre/platform/grpc/server'
import type { Partner } from '@cofre/platform/outbound/partner-call'
import type { Logger } from '@cofre/platform/telemetry/log'
import {
  StoredCard,
  VaultAdminService,
  VaultService,
  type Bin,
  type CardSummary,
  type DescribeCardRequest,
  type DestroyNetworkTokenRequest,
  type ForwardFileRequest,
  type ForwardRequest,
  type KeepNetworkTokenRequest,
  type ListedBin,
  type RemoveBinRequest,
  type SealCardDataRequest,
  type StoreCardRequest,
} from '@cofre/proto/vault/v1/vault'
import { standIn, type OnCall } from '../stand-in'
import { createAccounts } from './accounts'
import { forward, numbersOf, type Kept } from './forward'
import { forwardFile } from './forward-file'
import { createKeptVouchers } from './kept-vouchers'
import { createMarks } from './marks'
import { seal, SUMMARY } from './seal-body'

/** The vault in memory. `partner`: the target of `forward`. A card's handle is its number, so that tests see it. */
export function createVault({ partner, onCall }: { partner?: Partner; onCall?: OnCall } = {}) {
  const marks = createMarks()
  /** Faults that a test gives to every card, as if time had passed. */
  const time: { faults: FieldError[] } = { faults: [] }
  const kept: Kept = new Map()
  const accounts = createAccounts()
  const vouchers = createKeptVouchers()
  /** The prefixes that the platform team assigned to brands. */
  const bins: ListedBin[] = []
  const { stored, find, store, cardOf } = createStoredCards()
  const answers = {
    sealCardData: async ({ body, kind, invoiceIds }: SealCardDataRequest) =>
      seal(body, time.faults, kind, invoiceIds),
    storeCard: async ({ sellerId, handle }: StoreCardRequest) =>
      marks.once(sellerId, StoredCard, () => store(sellerId, handle)),
    describeCard: async (request: DescribeCardRequest) => find(request).card,
    deleteCard: async (request: DescribeCardRequest) => {
      stored.delete(find(request).card.id)
      return {}
    },
    listBins: async () => ({ bins }),
    getEncryptionKey: async () => ({ jwk: JSON.stringify(ENCRYPTION_KEY) }),
    ...(partner
      ? {
          forward: (request: ForwardRequest) =>
            request.voucherToken === ''
              ? forward(partner, kept, request, cardOf(request))
              : vouchers.forward(partner, request),
          forwardFile: (messages: AsyncIterable<ForwardFileRequest>) => forwardFile(partner, messages),
        }
      : {}),
    keepNetworkToken: async ({ handle, networkToken }: KeepNetworkTokenRequest) => {
      kept.set(networkToken, { card: numbersOf(handle).number })
      return {}
    },
    ...vouchers.answers,
    findAccount: accounts.findAccount,
    destroyNetworkToken: async ({ networkToken }: DestroyNetworkTokenRequest) => {
      kept.delete(networkToken)
      return {}
    },
  }
  const services = (log: Logger): ServedService[] => [
    standIn(log, VaultService, answers, { onCall }),
    standIn(log, VaultAdminService, { ...ADMIN, ...binAnswers(bins) }, { onCall, callers: ['cofrectl'] }),
    marks.service(log),
  ]
  const remove = (id: number) => void stored.delete(id)
  return { services, time, kept, cards: stored, vouchers: vouchers.kept, accounts, bins, store, remove }
}

function binAnswers(bins: ListedBin[]) {
  const placeOf = (prefix: string) => bins.findIndex((row) => row.prefix === prefix)
  return {
    listBins: async () => ({ bins }),
    putBin: async ({ prefix, brand }: Bin) => {
      const at = placeOf(prefix)
      bins.splice(at === -1 ? bins.length : at, 1, { prefix, brand, updatedAt: 1_767_225_600_000 })
      return {}
    },
    removeBin: async ({ prefix }: RemoveBinRequest) => {
      if (placeOf(prefix) === -1) throw notFound('There is no such prefix.')
      bins.splice(placeOf(prefix), 1)
      return {}
    },
  }
}

function createStoredCards() {
  let lastId = 0
  const stored = new Map<number, { sellerId: number; card: StoredCard; number: string }>()
  const find = ({ sellerId, id, token }: DescribeCardRequest) => {
    const found = [...stored.values()].find(
      (each) => each.sellerId === sellerId && (each.card.id === id || each.card.token === token),
    )
    if (!found) throw notFound()
    return found
  }
  /** Keeps a card of a seller. `changes`: another brand or expiry than usual. */
  const store = (sellerId: number, number: string, changes: Partial<CardSummary> = {}) => {
    const id = ++lastId
    const token = createHmac('sha256', 'token').update(String(id)).digest('hex')
    const card = StoredCard.fromPartial({
      id,
      token,
      card: { ...SUMMARY, bin: number.slice(0, 6), lastFour: number.slice(-4), ...changes },
      createdAt: 1_767_225_600_000,
    })
    stored.set(id, { sellerId, card, number })
    return card
  }
  const cardOf = ({ sellerId, handle, cardToken }: ForwardRequest) => {
    if (cardToken === '') return handle
    const found = [...stored.values()].find(
      (each) => each.sellerId === sellerId && each.card.token === cardToken,
    )
    return found?.number ?? 'deleted'
  }
  return { stored, find, store, cardOf }
}

const ENCRYPTION_KEY = { kty: 'RSA', n: 'AQAB', e: 'AQAB', kid: 'k1', alg: 'RSA-OAEP-256', use: 'enc' }

const ADMIN = {
  putAccount: async () => ({}),
  removeAccount: async () => ({}),
  listAccounts: async () => ({
    accounts: [
      {
        partner: 'bank',
        name: '1234567',
        credentials: ['convenio'],
        missingCredentials: ['chave'],
        updatedAt: 1_767_225_600_000,
      },
    ],
    more: false,
  }),
  rotateEncryptionKey: async () => ({ kid: 'pair-2', keysDestroyed: 1 }),
  rotateDataKey: async () => ({
    dataKeyId: '7',
    cardsEncrypted: 12,
    accountsEncrypted: 3,
    grantsEncrypted: 2,
    keysDestroyed: 1,
  }),
  rotateKeyEncryptionKey: async () => ({ keyEncryptionKeyId: 'k2', keysWrapped: 4 }),
}
