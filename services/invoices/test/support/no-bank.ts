import type { PixDeps } from '../../src/pix/bank/pix-deps'
import type { BoletoDeps } from '../../src/boletos/bank/boleto-deps'

const away = async () => ({ result: 'not_sent' }) as const

/** A bank that never answers; no seller has an account there. */
export const NO_BANK: BoletoDeps = {
  bank: { register: away, find: away, withdraw: away },
  accounts: { find: async () => undefined, has: async () => false },
  rules: {
    bankTimeoutMs: 1_000,
    resolveEveryMs: 250,
    resolveFirstMs: 20,
    resolveMaxMs: 50,
    absenceGraceMs: 0,
  },
  secret: undefined,
  isPayable: false,
}

export const NO_PIX: PixDeps = {
  bank: {
    automatic: {
      locate: away,
      recAt: away,
      create: away,
      find: away,
      cancel: away,
      retry: async () => undefined,
    },
    register: away,
    find: away,
    withdraw: away,
    received: away,
    giveBack: away,
    findReturn: away,
    reportsTo: async () => undefined,
    reportTo: async () => false,
  },
  accounts: NO_BANK.accounts,
  rules: NO_BANK.rules,
}
