import { createCipheriv, constants, publicEncrypt, randomBytes } from 'node:crypto'
import { hiddenFields } from '../portal/browser'
import type { CheckoutSystem } from './checkout-system'

export const CARD = {
  cardNumber: '4111111111111111',
  holder: { name: 'ANA SOUZA' },
  expiration: { year: 2049, month: 12 },
  cvv: '123',
}

/** Seals a card as the script of the page does. `claims`: of the header, such as the invoice that it pays. */
export function sealedCard({ vault }: CheckoutSystem, card: object = CARD, claims: object = {}): string {
  const key = randomBytes(32)
  const iv = randomBytes(12)
  const header = Buffer.from(JSON.stringify({ alg: 'RSA-OAEP-256', enc: 'A256GCM', kid: 'k1', ...claims }))
  const protectedPart = header.toString('base64url')
  const padding = constants.RSA_PKCS1_OAEP_PADDING
  const wrapped = publicEncrypt({ key: vault.publicKey, padding, oaepHash: 'sha256' }, key)
  const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(protectedPart))
  const text = Buffer.concat([cipher.update(JSON.stringify(card)), cipher.final()])
  const parts = [wrapped, iv, text, cipher.getAuthTag()].map((part) => part.toString('base64url'))
  return [protectedPart, ...parts].join('.')
}

/** Returns the fields that the card form sends without being typed. */
export function hiddenOfCard(page: string): Record<string, string> {
  return { ...hiddenFields(page), prices: /name="prices" value="([\d,]+)"/.exec(page)?.[1] ?? '' }
}
