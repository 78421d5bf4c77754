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
    files: [
      'packages/platform/src/card/{card-number,digit-runs,digit-pieces,characters,escapes,ids}.ts',
      'packages/platform/src/card/{card-brand,first-digits,known-numbers,luhn,sensitive-names,tax-number}.ts',
    ],
    tests: ['packages/platform/test/card/*.test.ts', 'services/vault/test/card-number.test.ts'],
    gated: true,
  },
  {
    files: ['services/vault/src/bins/bin-table.ts'],
    tests: ['services/vault/test/bins/bin-table.test.ts'],
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
      'services/orders/src/charge/{transition,transaction,authorization,resolve-outcome}.ts',
      'services/orders/src/charge/{charge,decline,failure,refund-explanation}.ts',
    ],
    tests: OF_CHARGES,
    gated: true,
  },
  {
    files: [
      'services/orders/src/charge/brand-refusal.ts',
      'services/orders/src/cielo/{card-brand,holder-name}.ts',
    ],
    tests: ['services/orders/test/rules/{card-brand,holder-name}.test.ts'],
    gated: true,
  },
  {
    files: ['services/orders/src/charge/close-by-hand.ts'],
    tests: [
      'services/orders/test/resolve-transaction.test.ts',
      'services/orders/test/rules/close-by-hand.test.ts',
    ],
    gated: true,
  },
  {
    files: ['services/orders/src/pix/rules/{adopt-bank,new-pix-charge,pix-book,returns,without-account}.ts'],
    tests: ['services/orders/test/rules/pix{,-book,-without-account}.test.ts'],
    gated: true,
  },
  {
    files: ['services/orders/src/disputes/{adopt-case,answer,pass-deadline,transition}.ts'],
    tests: ['services/orders/test/rules/dispute-{rules,states}.test.ts'],
    gated: true,
  },
  {
    files: ['services/vouchers/src/payment/{payment,transition,resolve-outcome,payment-outcome,decline}.ts'],
    tests: ['services/vouchers/test/{transition,resolve-outcome,look-at-paid,decline}.test.ts'],
    gated: true,
  },
  {
    files: ['services/vouchers/src/payment/close-by-hand.ts'],
    tests: ['services/vouchers/test/{resolve-payment,close-by-hand}.test.ts'],
    gated: true,
  },
  {
    files: [
      'services/invoices/src/{invoice,boletos,recurring}/rules/transition.ts',
      'services/invoices/src/methods/rules/registered-ask.ts',
    ],
    tests: ['services/invoices/test/{rules,boleto,recurring}/transition.test.ts'],
    gated: true,
  },
  {
    files: [
      'packages/platform/src/business-day.ts',
      'services/invoices/src/invoice/rules/{discounts,splits,late-charges,money}.ts',
      'services/invoices/src/cards/rules/{card-fee,withdrawal}.ts',
      'services/invoices/src/pix/rules/{pix-refund,collection,permission}.ts',
      'services/invoices/src/money/placement.ts',
      'services/invoices/src/recurring/rules/{collected-amount,collection-day}.ts',
    ],
    tests: ['services/invoices/test/rules/*.test.ts'],
    gated: true,
  },
  {
    files: ['services/network-token/src/token/{network-token,resolution}.ts'],
    tests: ['services/network-token/test/{network-token,resolution}.test.ts'],
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
