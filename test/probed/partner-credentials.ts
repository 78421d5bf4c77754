import { randomBytes } from 'node:crypto'
import { dirname } from 'node:path'
import { openAdmin } from '@cofre/cofrectl/admin-client'
import { readConnection } from '@cofre/cofrectl/connection'
import { createEstablishment } from '@cofre/cofrectl/create-establishment'
import { AGREEMENTS_FROM } from '../../local/src/demo-sellers'
import { runFolder } from '../../local/src/run-folder'
import { readState } from '../../local/src/saved-state'
import { base64Of } from './find-leaks'
import type { Place } from './places'
import type { Product } from './product'

/**
 * Gives the demo seller's establishment a unique merchant key before the first charge, and returns it. Unlike the key
 * that it replaces, no file of `npm start` holds it.
 */
export async function plantMerchantKey({ runDir }: Product): Promise<string> {
  const { demo } = readState(runFolder(runDir))
  if (demo?.sellerId === undefined) throw new Error('there is no demo seller')
  const { sellerId, merchantId } = demo
  const merchantKey = newKey()
  const admin = openAdmin(readConnection({}, {}, dirname(runDir)))
  try {
    const account = { sellerId, merchantId, merchantKey }
    await createEstablishment(admin, { ...account, networkTokens: true, retryWithCard: false })
    return merchantKey
  } finally {
    admin.close()
  }
}

/**
 * Gives the demo seller unique keys at the bank and at the 3-D Secure server before their first use, and returns them.
 * The sandbox stores only their hashes.
 */
export async function plantPaymentKeys({ runDir }: Product): Promise<string[]> {
  const { demo } = readState(runFolder(runDir))
  if (demo?.sellerId === undefined || !demo.threeDSecureKey) throw new Error('there is no demo seller')
  const { sellerId } = demo
  const [chave, apiKey] = [newKey(), newKey()]
  const convenio = String(AGREEMENTS_FROM + sellerId)
  // As `npm start` names it.
  const merchantId = `cofre-${demo.threeDSecureKey.slice(0, 8)}`
  const accounts = [
    { partner: 'bank', name: convenio, credentials: { convenio, chave } },
    { partner: 'three-d-secure', name: merchantId, credentials: { merchantId, apiKey } },
  ]
  const admin = openAdmin(readConnection({}, {}, dirname(runDir)))
  try {
    for (const account of accounts) {
      await admin.on('vault')('putAccount', { ...account, sellerId, preference: 0 })
    }
    return [chave, apiKey]
  } finally {
    admin.close()
  }
}

const newKey = () => `Canary${randomBytes(17).toString('hex')}`

/** This many characters of a secret are a leak. */
const ENOUGH = 20

/** The places that hold any of the secrets: as written, in base64 at any offset, or in hexadecimal. */
export function credentialsIn(places: readonly Place[], secrets: readonly string[]): string[] {
  const needles = secrets
    .map((secret) => secret.slice(0, ENOUGH))
    .flatMap((secret) => [secret, ...base64Of(secret)])
  return places
    .filter(({ text }) => {
      const hidden = [...text.matchAll(/(?:[0-9a-f]{2}){20,}/gi)].map(([hex]) =>
        Buffer.from(hex, 'hex').toString('latin1'),
      )
      return [text, ...hidden].some((each) => needles.some((needle) => each.includes(needle)))
    })
    .map(({ name }) => name)
}
