export const PARTNERS = [
  'ACQUIRER',
  'TOKEN_SERVICE',
  'VOUCHER_ISSUER',
  'IDENTITY_PROVIDER',
  'MAIL_SERVER',
  'BANK',
  'PIX_BANK',
  'ACS',
  'CHARGEBACKS',
] as const
export const FAULT_KINDS = ['ANSWER_LOST', 'NOT_REACHED', 'HTTP_500', 'DONE_500', 'SLOW'] as const
const PENDING_MAX = 100

export type Partner = (typeof PARTNERS)[number]
export type FaultKind = (typeof FAULT_KINDS)[number]

/** A fault of the next `times` calls: `changes` includes calls that change something, `queries` the others. */
export type Fault = {
  partner: Partner
  kind: FaultKind
  times: number
  delayMs: number
  changes: boolean
  queries: boolean
}

export type CallKind = 'CHANGE' | 'QUERY'

/** The pending faults, the oldest first. */
export class Faults {
  private pending: Fault[] = []
  private readonly listeners: (() => Promise<void>)[] = []
  private taking: Promise<unknown> = Promise.resolve()

  /** The listener must not reject. */
  onChange(listener: () => Promise<void>): void {
    this.listeners.push(listener)
  }

  /** Settles when the newest change has taken effect everywhere. */
  async inEffect(): Promise<void> {
    await this.taking
  }

  list(): readonly Fault[] {
    return this.pending
  }

  /** Adds a fault. Returns false when too many are waiting. */
  add(fault: Fault): boolean {
    if (this.pending.length >= PENDING_MAX) return false
    this.pending.push({ ...fault })
    this.changed()
    return true
  }

  clear(): void {
    this.pending = []
    this.changed()
  }

  peek(partner: Partner, call: CallKind): Fault | undefined {
    return this.pending.find(
      (fault) => fault.partner === partner && (call === 'CHANGE' ? fault.changes : fault.queries),
    )
  }

  /** Returns the fault of this call, and uses it up once. */
  take(partner: Partner, call: CallKind): Fault | undefined {
    const fault = this.peek(partner, call)
    if (!fault) return undefined
    fault.times -= 1
    if (fault.times === 0) this.pending = this.pending.filter((other) => other !== fault)
    this.changed()
    return fault
  }

  private changed(): void {
    this.taking = Promise.all(this.listeners.map((listener) => listener()))
  }
}
