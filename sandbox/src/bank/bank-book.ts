import { join } from 'node:path'
import { Journal } from '../journal'
import type { Slip } from './slip'

/** The oldest slips beyond this are forgotten at the next start. */
const SLIPS_MAX = 200_000

/** Every slip, in memory and in a journal. */
export class BankBook {
  private readonly slips = new Map<string, Slip>()
  private readonly numbersByLine = new Map<string, string>()
  private readonly journal: Journal<Slip>

  constructor(folder: string) {
    this.journal = new Journal(join(folder, 'bank-slips.jsonl'), ({ ourNumber }) => ourNumber)
    for (const slip of this.journal.open(SLIPS_MAX)) this.remember(slip)
  }

  save(slip: Slip): void {
    this.journal.append(slip)
    this.remember(slip)
  }

  /** Returns the slip of a number. Numbers are unique because they begin with the agreement. */
  get(ourNumber: string): Slip | undefined {
    return this.slips.get(ourNumber)
  }

  findByLine(line: string): Slip | undefined {
    return this.get(this.numbersByLine.get(line) ?? '')
  }

  newest(count: number): Slip[] {
    return [...this.slips.values()].slice(-count).toReversed()
  }

  get count(): number {
    return this.slips.size
  }

  close(): void {
    this.journal.close()
  }

  private remember(slip: Slip): void {
    this.slips.set(slip.ourNumber, slip)
    this.numbersByLine.set(slip.line, slip.ourNumber)
  }
}
