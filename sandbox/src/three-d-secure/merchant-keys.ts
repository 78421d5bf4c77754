import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { Journal } from '../journal'
import { ServerRefusal } from './server-refusal'

const MERCHANTS_MAX = 10_000
const MERCHANT = /^[\w.-]{1,64}$/
const KEY = /^[\x21-\x7e]{8,200}$/

type Merchant = { merchantId: string; keyHash: string }

/** There is no sign-up: a seller exists from its first call, and the key of that call becomes its key. */
export class MerchantKeys {
  private readonly keyHashes = new Map<string, string>()
  private readonly journal: Journal<Merchant>

  constructor(folder: string) {
    this.journal = new Journal(join(folder, 'three-d-secure-merchants.jsonl'), ({ merchantId }) => merchantId)
    for (const { merchantId, keyHash } of this.journal.open(MERCHANTS_MAX))
      this.keyHashes.set(merchantId, keyHash)
  }

  /** Returns the seller of a call. Throws ServerRefusal when credentials are absent, ill-formed or wrong. */
  identify(headers: IncomingHttpHeaders): string {
    const merchantId = String(headers['x-merchant-id'] ?? '')
    const key = String(headers['x-api-key'] ?? '')
    if (!MERCHANT.test(merchantId) || !KEY.test(key)) throw new ServerRefusal(401, 'UNAUTHORIZED')
    const keyHash = createHash('sha256').update(key).digest('hex')
    const known = this.keyHashes.get(merchantId)
    if (known === undefined) this.add({ merchantId, keyHash })
    else if (known !== keyHash) throw new ServerRefusal(401, 'UNAUTHORIZED')
    return merchantId
  }

  close(): void {
    this.journal.close()
  }

  private add(merchant: Merchant): void {
    if (this.keyHashes.size >= MERCHANTS_MAX) throw new ServerRefusal(401, 'UNAUTHORIZED')
    this.journal.append(merchant)
    this.keyHashes.set(merchant.merchantId, merchant.keyHash)
  }
}
