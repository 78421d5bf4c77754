import { join } from 'node:path'
import { Journal } from '../journal'
import { type Cryptogram, hashOf, makeCryptogram } from './cryptogram'

/** The oldest cryptograms beyond this are forgotten at the next start. */
const CRYPTOGRAMS_MAX = 200_000

/** Every cryptogram by the hash of its value, in memory and in a journal. */
export class CryptogramBook {
  private readonly cryptograms = new Map<string, Cryptogram>()
  private readonly hashesByToken = new Map<string, string[]>()
  private readonly newestOf = new Map<string, string>()
  private readonly journal: Journal<Cryptogram>

  constructor(folder: string) {
    this.journal = new Journal(join(folder, 'token-service-cryptograms.jsonl'), ({ hash }) => hash)
    for (const cryptogram of this.journal.open(CRYPTOGRAMS_MAX)) this.remember(cryptogram)
  }

  /** Makes a cryptogram, which replaces an earlier one for the same transaction. */
  make(wanted: { tokenId: string; reference: string; amount: number }, now: number) {
    const older = this.cryptograms.get(this.newestOf.get(transactionOf(wanted)) ?? '')
    if (older) this.save({ ...older, replacedAt: now })
    const { value, cryptogram } = makeCryptogram(wanted, now)
    this.save(cryptogram)
    return { value, cryptogram }
  }

  find(value: string): Cryptogram | undefined {
    return this.cryptograms.get(hashOf(value))
  }

  use(cryptogram: Cryptogram, merchantOrderId: string, now: number): void {
    this.save({ ...cryptogram, usedAt: now, merchantOrderId })
  }

  /** Returns a token's cryptograms, the oldest first. */
  ofToken(tokenId: string): Cryptogram[] {
    return (this.hashesByToken.get(tokenId) ?? []).flatMap((hash) => this.cryptograms.get(hash) ?? [])
  }

  close(): void {
    this.journal.close()
  }

  private save(cryptogram: Cryptogram): void {
    this.journal.append(cryptogram)
    this.remember(cryptogram)
  }

  private remember(cryptogram: Cryptogram): void {
    const { hash, tokenId } = cryptogram
    if (!this.cryptograms.has(hash)) {
      const hashes = this.hashesByToken.get(tokenId)
      if (hashes) hashes.push(hash)
      else this.hashesByToken.set(tokenId, [hash])
      this.newestOf.set(transactionOf(cryptogram), hash)
    }
    this.cryptograms.set(hash, cryptogram)
  }
}

function transactionOf({ tokenId, reference }: { tokenId: string; reference: string }): string {
  return `${tokenId} ${reference}`
}
