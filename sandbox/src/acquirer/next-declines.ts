import type { Outcome } from './card-outcome'

const PENDING_MAX = 100

/** A production (ABECS) code that the next `times` sales are declined with. */
export type NextDecline = {
  returnCode: string
  merchantAdviceCode: string | null
  /** Only sales with this card, also through its network token; null: with any card. */
  cardLastFour: string | null
  times: number
}

export class NextDeclines {
  private pending: NextDecline[] = []

  list(): readonly NextDecline[] {
    return this.pending
  }

  /** False when too many wait already. */
  add(decline: NextDecline): boolean {
    if (this.pending.length >= PENDING_MAX) return false
    this.pending.push({ ...decline })
    return true
  }

  clear(): void {
    this.pending = []
  }

  /** The decline of this sale: the oldest that is for its card. Only Mastercard sends an advice code. */
  take({ brand, cardLastFour }: { brand: string; cardLastFour: string }): Outcome | undefined {
    const next = this.pending.find((one) => one.cardLastFour === null || one.cardLastFour === cardLastFour)
    if (!next) return undefined
    next.times -= 1
    if (next.times === 0) this.pending = this.pending.filter((one) => one !== next)
    const { returnCode, merchantAdviceCode } = next
    return {
      approved: false,
      returnCode,
      message: 'Autorizacao negada',
      merchantAdviceCode: brand === 'Master' ? merchantAdviceCode : null,
    }
  }
}
