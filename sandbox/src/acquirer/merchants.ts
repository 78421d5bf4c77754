import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import { Journal } from '../journal'
import { Refusal } from './refusal'

const MERCHANTS_MAX = 10_000
const GUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const KEY = /^[\x21-\x7e]{40}$/

type Merchant = { merchantId: string; keyHash: string }

/** There is no sign-up: a MerchantId exists from its first call, and the key of that call becomes its key. */
export class Merchants {
  private readonly keyHashes = new Map<string, string>()
  private readonly journal: Journal<Merchant>

  constructor(folder: string) {
    this.journal = new Journal(join(folder, 'acquirer-merchants.jsonl'), ({ merchantId }) => merchantId)
    for (const merchant of this.journal.open(MERCHANTS_MAX)) this.remember(merchant)
  }

  /** Returns a call's MerchantId, in lower case. Throws Refusal when credentials are absent, ill-formed or wrong. */
  identify(headers: IncomingHttpHeaders): string {
    const merchantId = String(headers['merchantid'] ?? '').toLowerCase()
    const merchantKey = String(headers['merchantkey'] ?? '')
    if (!merchantId) throw new Refusal(401, 101)
    if (!GUID.test(merchantId)) throw new Refusal(400, 114)
    if (!merchantKey) throw new Refusal(401, 131)
    if (!KEY.test(merchantKey)) throw new Refusal(401, 132)

    const keyHash = createHash('sha256').update(merchantKey).digest('hex')
    const known = this.keyHashes.get(merchantId)
    if (known !== undefined && known !== keyHash) throw new Refusal(401, 132)
    if (known === undefined) this.add({ merchantId, keyHash })
    return merchantId
  }

  close(): void {
    this.journal.close()
  }

  private add(merchant: Merchant): void {
    if (this.keyHashes.size >= MERCHANTS_MAX) throw new Refusal(401, 132)
    this.journal.append(merchant)
    this.remember(merchant)
  }

  private remember({ merchantId, keyHash }: Merchant): void {
    this.keyHashes.set(merchantId, keyHash)
  }
}
