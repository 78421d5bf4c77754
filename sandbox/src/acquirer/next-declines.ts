import type { Outcome } from './card-outcome'

const PENDING_MAX = 100

/** The production (ABECS) code with which the next `times` sales are declined. */
export type NextDecline = {
  returnCode: string
  merchantAdviceCode: string | null
  /** Declines only sales with this card or with its network token; null means any card. */
  cardLastFour: string | null
  times: number
  /** The issuer has replaced the card: a recurring sale is answered with the new number. */
  isReplaced: boolean
}

export class NextDeclines {
  private pending: NextDecline[] = []

  list(): readonly NextDecline[] {
    return this.pending
  }

  /** Adds a decline. Returns false when too many are waiting. */
  add(decline: NextDecline): boolean {
    if (this.pending.length >= PENDING_MAX) return false
    this.pending.push({ ...decline })
    return true
  }

  clear(): void {
    this.pending = []
  }

  /** Returns the oldest decline for this sale's card. Only Mastercard sends an advice code. */
  take({ brand, cardLastFour }: { brand: string; cardLastFour: string }): Outcome | undefined {
    const next = this.pending.find((one) => one.cardLastFour === null || one.cardLastFour === cardLastFour)
    if (!next) return undefined
    next.times -= 1
    if (next.times === 0) this.pending = this.pending.filter((one) => one !== next)
    const { returnCode, merchantAdviceCode, isReplaced } = next
    return {
      approved: false,
      returnCode,
      message: 'Autorizacao negada',
      merchantAdviceCode: brand === 'Master' ? merchantAdviceCode : null,
      isReplaced,
    }
  }
}
