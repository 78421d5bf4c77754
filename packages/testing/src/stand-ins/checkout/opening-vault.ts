import { constants, createDecipheriv, createHmac, privateDecrypt, type KeyObject } from 'node:crypto'
import type { FieldError } from '@cofre/platform/errors'
import type { ServedService } from '@cofre/platform/grpc/server'
import type { Logger } from '@cofre/platform/telemetry/log'
import { SealedCard, VaultService, type SealCardDataRequest } from '@cofre/proto/vault/v1/vault'
import { rsaPair } from '../../rsa-pair'
import { standIn } from '../../stand-in'

/** A vault that only opens cards that a browser sealed. `opened` holds their content. */
export function createOpeningVault() {
  const { publicKey, privateKey } = rsaPair()
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RSA-OAEP-256', use: 'enc' }
  const opened: { plain: unknown; header: unknown }[] = []
  const asked: string[] = []
  const next: { errors: FieldError[] } = { errors: [] }
  const open = (jwe: string, invoiceIds: readonly string[]): FieldError[] => {
    try {
      const sealed = openJwe(jwe, privateKey)
      opened.push(sealed)
      const { invoiceId } = sealed.header
      if (invoiceId !== undefined && !invoiceIds.includes(invoiceId)) return [OTHER_INVOICE]
      return next.errors
    } catch {
      return [{ pointer: '#/card/encryptedCard', code: 'UNDECRYPTABLE', detail: 'could not be opened' }]
    }
  }
  const answers = {
    listBins: async () => ({ bins: [{ prefix: '650600', brand: 'ELO', updatedAt: 0 }] }),
    getEncryptionKey: async () => ({ jwk: JSON.stringify(jwk) }),
    sealCardData: async ({ body, invoiceIds }: SealCardDataRequest) => {
      asked.push(body.toString())
      const { card, ...rest } = JSON.parse(body.toString())
      const errors = open(card.encryptedCard, invoiceIds)
      const sealed = SealedCard.fromPartial({ pointer: '#/card', handle: 'sealed', usable: true })
      return {
        body: Buffer.from(JSON.stringify(rest)),
        fingerprint: createHmac('sha256', 'fingerprint').update(JSON.stringify(rest)).digest(),
        cards: [sealed],
        errors,
      }
    },
  }
  const services = (log: Logger): ServedService[] => [standIn(log, VaultService, answers)]
  return { services, opened, asked, next, publicKey }
}

const OTHER_INVOICE: FieldError = {
  pointer: '#/card/encryptedCard',
  code: 'OTHER_INVOICE',
  detail: 'was encrypted for an invoice that this request does not pay',
}

/** Decrypts a JWE (RFC 7516, section 5.2) with RSA-OAEP-256 and A256GCM, and no other. */
function openJwe(jwe: string, privateKey: KeyObject) {
  const parts = jwe.split('.')
  const [, wrapped, iv, text, tag] = parts.map((part) => Buffer.from(part, 'base64url')) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ]
  const header = JSON.parse(Buffer.from(parts[0] ?? '', 'base64url').toString())
  if (header.alg !== 'RSA-OAEP-256' || header.enc !== 'A256GCM') throw new Error('another algorithm')
  const padding = constants.RSA_PKCS1_OAEP_PADDING
  const key = privateDecrypt({ key: privateKey, padding, oaepHash: 'sha256' }, wrapped)
  const decipher = createDecipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(parts[0] ?? ''))
  const plain = Buffer.concat([decipher.setAuthTag(tag).update(text), decipher.final()])
  return { header, plain: JSON.parse(plain.toString()) }
}
