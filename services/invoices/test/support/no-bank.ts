import type { BoletoDeps } from '../../src/bank/boleto-deps'

const away = async () => ({ result: 'not_sent' }) as const

/** A bank that never answers; no seller has an account there. */
export const NO_BANK: BoletoDeps = {
  bank: { register: away, find: away, withdraw: away },
  accounts: { find: async () => undefined },
  rules: { bankTimeoutMs: 1_000, settleEveryMs: 250, settleFirstMs: 20, settleMaxMs: 50, absenceGraceMs: 0 },
  secret: undefined,
  isPayable: false,
}
