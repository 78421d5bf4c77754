import { createHmac } from 'node:crypto'
import { notFound } from '@cofre/platform/errors'
import type { ServedService } from '@cofre/platform/grpc/server'
import type { Partner } from '@cofre/platform/outbound/partner-call'
import type { Logger } from '@cofre/platform/telemetry/log'
import {
  StoredCard,
  VaultAdminService,
  VaultService,
  type DescribeCardRequest,
  type DestroyNetworkTokenRequest,
  type ForwardRequest,
  type KeepNetworkTokenRequest,
  type SealCardDataRequest,
  type StoreCardRequest,
} from '@cofre/proto/vault/v1/vault'
import { standIn, type OnCall } from '../stand-in'
import { createAccounts } from './accounts'
import { forward, numbersOf, type Kept } from './forward'
import { createMarks } from './marks'
import { seal, SUMMARY } from './seal-body'

/** The vault in memory. `partner`: the one that it forwards to. A card's handle is its number, so that a test can tell. */
export function createVault({ partner, onCall }: { partner?: Partner; onCall?: OnCall } = {}) {
  const marks = createMarks()
  const kept: Kept = new Map()
  const accounts = createAccounts()
  const stored = new Map<number, { sellerId: number; card: StoredCard }>()
  const find = ({ sellerId, id, token }: DescribeCardRequest) => {
    const found = [...stored.values()].find(
      (each) => each.sellerId === sellerId && (each.card.id === id || each.card.token === token),
    )
    if (!found) throw notFound()
    return found.card
  }
  const storeCard = ({ sellerId, handle }: StoreCardRequest) =>
    marks.once(sellerId, StoredCard, () => {
      const id = stored.size + 1
      const token = createHmac('sha256', 'token').update(String(id)).digest('hex')
      const card = StoredCard.fromPartial({
        id,
        token,
        card: { ...SUMMARY, bin: handle.slice(0, 6), lastFour: handle.slice(-4) },
        createdAt: 1_767_225_600_000,
      })
      stored.set(id, { sellerId, card })
      return card
    })
  const answers = {
    sealCardData: async ({ body }: SealCardDataRequest) => seal(body),
    storeCard: async (request: StoreCardRequest) => storeCard(request),
    describeCard: async (request: DescribeCardRequest) => find(request),
    deleteCard: async (request: DescribeCardRequest) => {
      stored.delete(find(request).id)
      return {}
    },
    getEncryptionKey: async () => ({ jwk: JSON.stringify(ENCRYPTION_KEY) }),
    ...(partner ? { forward: (request: ForwardRequest) => forward(partner, kept, request) } : {}),
    keepNetworkToken: async ({ handle, networkToken }: KeepNetworkTokenRequest) => {
      kept.set(networkToken, { card: numbersOf(handle).number })
      return {}
    },
    findAccount: accounts.findAccount,
    importAccount: accounts.importAccount,
    destroyNetworkToken: async ({ networkToken }: DestroyNetworkTokenRequest) => {
      kept.delete(networkToken)
      return {}
    },
  }
  const services = (log: Logger): ServedService[] => [
    standIn(log, VaultService, answers, { onCall }),
    standIn(log, VaultAdminService, ADMIN, { onCall, callers: ['cofrectl'] }),
    marks.service(log),
  ]
  return { services, kept, accounts }
}

const ENCRYPTION_KEY = { kty: 'RSA', n: 'AQAB', e: 'AQAB', kid: 'k1', alg: 'RSA-OAEP-256', use: 'enc' }

const ADMIN = {
  putAccount: async () => ({}),
  rotateDataKey: async () => ({
    dataKeyId: '7',
    cardsEncrypted: 12,
    accountsEncrypted: 3,
    keysDestroyed: 1,
  }),
  rotateKeyEncryptionKey: async () => ({ keyEncryptionKeyId: 'k2', keysWrapped: 4 }),
}
