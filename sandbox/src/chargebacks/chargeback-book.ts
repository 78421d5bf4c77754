import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Journal } from '../journal'
import type { Chargeback } from './chargeback'

/** The oldest chargebacks beyond this are forgotten at the next start. */
const CHARGEBACKS_MAX = 50_000
const FIRST_ID = 49_000_000

/** Every chargeback, in memory and in a journal, and the files of defences. */
export class ChargebackBook {
  private readonly chargebacks = new Map<string, Chargeback>()
  private readonly journal: Journal<Chargeback>

  constructor(private readonly folder: string) {
    this.journal = new Journal(join(folder, 'chargebacks.jsonl'), ({ idChargeback }) => idChargeback)
    for (const chargeback of this.journal.open(CHARGEBACKS_MAX)) this.remember(chargeback)
  }

  save(chargeback: Chargeback): void {
    this.journal.append(chargeback)
    this.remember(chargeback)
  }

  saveFile(idChargeback: string, bytes: Buffer): void {
    writeFileSync(this.pathOf(idChargeback), bytes)
  }

  readFile({ idChargeback }: Chargeback): Buffer {
    return readFileSync(this.pathOf(idChargeback))
  }

  get(idChargeback: string): Chargeback | undefined {
    return this.chargebacks.get(idChargeback)
  }

  /** The stages of a case, the oldest first. */
  ofCase(idCase: string): Chargeback[] {
    return [...this.chargebacks.values()].filter((chargeback) => chargeback.idCase === idCase)
  }

  ofPayment(paymentId: string): Chargeback[] {
    return [...this.chargebacks.values()].filter((chargeback) => chargeback.paymentId === paymentId)
  }

  /** Returns all, the newest first. */
  list(): Chargeback[] {
    return [...this.chargebacks.values()].toReversed()
  }

  /** An id for a new case or stage. Both are numbers of eight digits. */
  newId(): string {
    return String(FIRST_ID + this.chargebacks.size + 1)
  }

  close(): void {
    this.journal.close()
  }

  private pathOf(idChargeback: string): string {
    return join(this.folder, `chargeback-file-${idChargeback}`)
  }

  private remember(chargeback: Chargeback): void {
    this.chargebacks.set(chargeback.idChargeback, chargeback)
  }
}
