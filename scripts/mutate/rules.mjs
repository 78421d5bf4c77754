import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'

const OF_CHARGES = [
  'services/orders/test/{charge,decline,refund-explanation}.test.ts',
  'services/orders/test/rules/*.test.ts',
]

/**
 * The files that decide about money, rights and secrets, with the tests that cover each. Paths are glob patterns.
 * A measured file is `gated` and fails with less than enough; for the others, survivors are only listed.
 */
export const RULES = [
  { files: ['packages/platform/src/money.ts'], tests: ['packages/platform/test/money.test.ts'], gated: true },
  {
    files: ['packages/platform/src/secret-box.ts'],
    tests: ['packages/platform/test/secret-box.test.ts'],
    gated: true,
  },
  {
    files: ['packages/platform/src/grpc/allow-callers.ts'],
    tests: [
      'packages/platform/test/{grpc,health-probe}.test.ts',
      'packages/platform/test/grpc/allow-callers.test.ts',
    ],
    gated: true,
  },
  {
    files: ['packages/platform/src/idempotency/*.ts'],
    tests: ['packages/platform/test/idempotency/*.test.ts'],
    gated: true,
  },
  {
    files: ['packages/platform/src/card/{card-number,digit-runs,sensitive-names}.ts'],
    tests: [
      'packages/platform/test/card/*.test.ts',
      'services/vault/test/{card-number,number-net,partner-answer}.test.ts',
    ],
    gated: true,
  },
  {
    files: ['services/vault/src/partners/partner-answer.ts'],
    tests: ['services/vault/test/{partner-answer,masking}.test.ts'],
    gated: true,
  },
  {
    files: [
      'services/orders/src/charge/{capture,refund,release,unsent-part,operation-outcome}.ts',
      'services/orders/src/charge/{second-look,card-retry,operation-mark}.ts',
      'services/orders/src/charge/{transition,transaction,authorization,settlement}.ts',
      'services/orders/src/charge/{charge,decline,failure,refund-explanation}.ts',
    ],
    tests: OF_CHARGES,
    gated: true,
  },
  {
    files: ['services/orders/src/charge/resolution.ts'],
    tests: [
      'services/orders/test/resolve-transaction.test.ts',
      'services/orders/test/rules/resolution.test.ts',
    ],
    gated: true,
  },
  {
    files: ['services/vouchers/src/payment/{payment,transition,settlement,payment-outcome,decline}.ts'],
    tests: ['services/vouchers/test/{transition,settlement,decline}.test.ts'],
    gated: true,
  },
  {
    files: ['services/vouchers/src/payment/resolution.ts'],
    tests: ['services/vouchers/test/{resolve-payment,resolution}.test.ts'],
    gated: true,
  },
  {
    files: ['services/invoices/src/{invoice,boleto,recurring}/transition.ts'],
    tests: ['services/invoices/test/{rules,boleto,recurring}/transition.test.ts'],
    gated: true,
  },
  {
    files: ['services/invoices/src/invoice/{splits,late-charges,card-fee,business-day}.ts'],
    tests: ['services/invoices/test/rules/*.test.ts'],
    gated: true,
  },
  {
    files: ['services/network-token/src/token/{network-token,settlement}.ts'],
    tests: ['services/network-token/test/{network-token,settlement}.test.ts'],
    gated: true,
  },
]

/** Returns the files of a pattern, which may have `{a,b}` anywhere and `*` in the name. */
export function expand(pattern) {
  const braces = /^(.*?)\{([^}]*)\}(.*)$/.exec(pattern)
  if (braces) return braces[2].split(',').flatMap((each) => expand(`${braces[1]}${each}${braces[3]}`))
  const [folder, name] = [dirname(pattern), basename(pattern)]
  if (!name.includes('*')) return existsSync(pattern) ? [pattern] : []
  const end = name.slice(1)
  return existsSync(folder)
    ? readdirSync(folder)
        .filter((file) => file.endsWith(end))
        .map((file) => `${folder}/${file}`)
    : []
}
