import { createHmac } from 'node:crypto'
import { DomainError, notFound, type FieldError } from '@cofre/platform/errors'
import type { ServedService } from '@cofre/platform/grpc/server'
import { standIn } from '@cofre/testing/stand-in'
import type { Logger } from '@cofre/platform/telemetry/log'
import {
  CardSource,
  StoredCard,
  VaultService,
  type DescribeCardRequest,
  type ForwardResponse,
  type SealCardDataRequest,
  type SealedCard,
  type StoreCardRequest,
} from '@cofre/proto/vault/v1/vault'
import type { Marks } from './memory-marks'
import { fingerprintOf } from '../../src/http/fingerprint'

export const DECLINED_TOKEN = 'd'.repeat(64)

type Json = Record<string, unknown>

/** As much of the vault as the gateway's tests need: masks cards, tells their faults, stores them in memory. */
export function createSmallVault(marks: Marks) {
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
  const service = (log: Logger): ServedService =>
    standIn(log, VaultService, {
      sealCardData: async ({ body }: SealCardDataRequest) => seal(body),
      storeCard: async (request: StoreCardRequest) => storeCard(request),
      describeCard: async (request: DescribeCardRequest) => find(request),
      deleteCard: async (request: DescribeCardRequest) => {
        stored.delete(find(request).id)
        return {}
      },
      getEncryptionKey: async () => ({
        jwk: JSON.stringify({
          kty: 'RSA',
          n: 'AQAB',
          e: 'AQAB',
          kid: 'k1',
          alg: 'RSA-OAEP-256',
          use: 'enc',
        }),
      }),
      forward: async (): Promise<ForwardResponse> => Promise.reject(new Error('not for the gateway')),
      keepNetworkToken: async () => Promise.reject(new Error('not for the gateway')),
      destroyNetworkToken: async () => Promise.reject(new Error('not for the gateway')),
    })
  return { service }
}

const SUMMARY = {
  bin: '',
  lastFour: '',
  brand: 'VISA',
  expirationYear: 2031,
  expirationMonth: 12,
  holderName: 'ANA SOUZA',
}

function seal(bytes: Buffer) {
  let body: unknown
  try {
    body = JSON.parse(bytes.toString())
  } catch {
    throw new DomainError('invalid_argument', 'MALFORMED_JSON', 'The body is not JSON in UTF-8.')
  }
  const cards: SealedCard[] = []
  const errors: FieldError[] = []
  walk('#', body, cards, errors)
  return {
    body: Buffer.from(JSON.stringify(body)),
    fingerprint: Buffer.from(fingerprintOf(Buffer.from('fingerprint'), body), 'base64'),
    cards,
    errors,
  }
}

function walk(pointer: string, value: unknown, cards: SealedCard[], errors: FieldError[]): void {
  if (typeof value !== 'object' || value === null) return
  if (!Array.isArray(value)) sealObject(pointer, value as Json, cards, errors)
  for (const [name, held] of Object.entries(value)) walk(`${pointer}/${name}`, held, cards, errors)
}

function sealObject(pointer: string, value: Json, cards: SealedCard[], errors: FieldError[]): void {
  if (value.encryptedCard === 'undecryptable') {
    errors.push({ pointer: `${pointer}/encryptedCard`, code: 'UNDECRYPTABLE', detail: 'could not be opened' })
    delete value.encryptedCard
  }
  if (value.encryptedCard !== undefined) {
    delete value.encryptedCard
    Object.assign(value, { cardNumber: '4111111111111111', holder: { name: 'ANA SOUZA' } })
    Object.assign(value, { expiration: { year: 2031, month: 12 } })
  }
  if ('cardNumber' in value) {
    const number = textOf(value.cardNumber)
    value.cardNumber = '************'
    if (!/^\d{12,19}$/.test(number)) {
      errors.push({ pointer: `${pointer}/cardNumber`, code: 'LENGTH', detail: 'must have 12 to 19 digits' })
    }
    cards.push(sealedCard(pointer, CardSource.CARD, number))
  }
  if (pointer.endsWith('/cardToken') && 'token' in value) {
    if (!/^[0-9a-f]{64}$/.test(textOf(value.token))) {
      errors.push({ pointer: `${pointer}/token`, code: 'FORMAT', detail: 'must be 64 hexadecimal digits' })
    }
    cards.push(sealedCard(pointer, CardSource.CARD_TOKEN, textOf(value.token)))
  }
  if ('cvv' in value) value.cvv = '***'
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

function sealedCard(pointer: string, source: CardSource, handle: string): SealedCard {
  const card = { ...SUMMARY, bin: '411111', lastFour: '1111' }
  return { pointer, handle, source, card, usable: true, hasCvv: false }
}
