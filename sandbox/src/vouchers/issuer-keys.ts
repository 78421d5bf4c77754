import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Journal } from '../journal'
import { IssuerRefusal } from './issuer-refusal'
import type { Brand } from './voucher-payment'

const SELLERS_MAX = 10_000
const CODE = /^[\w.-]{1,64}$/
const KEY = /^[\x21-\x7e]{8,200}$/

type Seller = { seller: string; keyHash: string }

/** There is no sign-up: a seller exists at an issuer from its first call, whose key becomes the seller's key. */
export class IssuerKeys {
  private readonly keyHashes = new Map<string, string>()
  private readonly journal: Journal<Seller>

  constructor(folder: string) {
    this.journal = new Journal(join(folder, 'voucher-sellers.jsonl'), ({ seller }) => seller)
    for (const { seller, keyHash } of this.journal.open(SELLERS_MAX)) this.keyHashes.set(seller, keyHash)
  }

  /** Returns the seller's code. Throws IssuerRefusal when credentials are absent, ill-formed or wrong. */
  identify(brand: Brand, code: string | undefined, key: string | undefined): string {
    const seller = `${brand} ${readCode(code)}`
    if (!key || !KEY.test(key)) throw new IssuerRefusal('UNAUTHORIZED')
    const keyHash = createHash('sha256').update(key).digest('hex')
    const known = this.keyHashes.get(seller)
    if (known === undefined) this.add({ seller, keyHash })
    else if (known !== keyHash) throw new IssuerRefusal('UNAUTHORIZED')
    return readCode(code)
  }

  close(): void {
    this.journal.close()
  }

  private add(seller: Seller): void {
    if (this.keyHashes.size >= SELLERS_MAX) throw new IssuerRefusal('UNAUTHORIZED')
    this.journal.append(seller)
    this.keyHashes.set(seller.seller, seller.keyHash)
  }
}

/** Returns the seller's code of a call that carries no key. */
export function readCode(code: string | undefined): string {
  if (!code || !CODE.test(code)) throw new IssuerRefusal('UNAUTHORIZED')
  return code
}
