import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { Journal } from '../journal'
import { BankRefusal } from './bank-refusal'

const ACCOUNTS_MAX = 10_000
const AGREEMENT = /^[1-9]\d{6}$/
const KEY = /^[\x21-\x7e]{8,200}$/

type Account = { agreement: string; keyHash: string }

/** There is no sign-up: an agreement (convênio) exists from its first call, whose key becomes its key. */
export class BankKeys {
  private readonly keyHashes = new Map<string, string>()
  private readonly journal: Journal<Account>

  constructor(folder: string) {
    this.journal = new Journal(join(folder, 'bank-accounts.jsonl'), ({ agreement }) => agreement)
    for (const { agreement, keyHash } of this.journal.open(ACCOUNTS_MAX))
      this.keyHashes.set(agreement, keyHash)
  }

  /** Returns the agreement. Throws BankRefusal when credentials are absent, ill-formed or wrong. */
  identify(agreement: string | undefined, key: string | undefined): string {
    if (!agreement || !AGREEMENT.test(agreement)) throw new BankRefusal('NAO_AUTORIZADO')
    if (!key || !KEY.test(key)) throw new BankRefusal('NAO_AUTORIZADO')
    const keyHash = createHash('sha256').update(key).digest('hex')
    const known = this.keyHashes.get(agreement)
    if (known === undefined) this.add({ agreement, keyHash })
    else if (known !== keyHash) throw new BankRefusal('NAO_AUTORIZADO')
    return agreement
  }

  close(): void {
    this.journal.close()
  }

  private add(account: Account): void {
    if (this.keyHashes.size >= ACCOUNTS_MAX) throw new BankRefusal('NAO_AUTORIZADO')
    this.journal.append(account)
    this.keyHashes.set(account.agreement, account.keyHash)
  }
}
