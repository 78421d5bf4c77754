import { moneyIn, momentIn, type Language } from '@cofre/platform/written'
import { PixStatus, type PixCharge } from '@cofre/proto/invoices/v1/pix'
import { qrOutline } from '@cofre/platform/qr-code'
import type { PixConsent } from '@cofre/proto/invoices/v1/pages'
import { BillingFrequency } from '@cofre/proto/invoices/v1/recurring'
import type { PixEvery } from '../checkout/words'
import { pixPayer } from '../play-payer'
import type { PageAsk, PagePart } from './page-part'

const STATUS: Record<PixStatus, PageAsk['status']> = {
  [PixStatus.UNSPECIFIED]: 'OVER',
  [PixStatus.PENDING]: 'REQUESTED',
  [PixStatus.REGISTERED]: 'OPEN',
  [PixStatus.PAID]: 'PAID',
  [PixStatus.EXPIRED]: 'OVER',
  [PixStatus.CANCELLED]: 'OVER',
  [PixStatus.REFUSED]: 'REFUSED',
}

export const PIX_PART: PagePart = {
  name: 'pix',
  path: 'pix',
  icon: 'M12 3l9 9-9 9-9-9zM12 8.5l3.5 3.5-3.5 3.5L8.5 12z',
  viewOf: ({ pix, pixConsent, pixCollectedOn }, { language, pix: { automatic } }, { sandbox }) => ({
    requested: pix?.status === PixStatus.PENDING,
    open: openPixOf(pix, language, sandbox),
    consent: pixConsent && automatic.text(consentOf(pixConsent, language)),
    collected: pixCollectedOn && automatic.collected(momentIn(language, pixCollectedOn)),
  }),
  asks: {
    latest: ({ pix }) => pix && { status: STATUS[pix.status], createdAt: pix.createdAt },
    refused: ({ methods, pix }) => ({ title: methods.PIX, text: pix.refused }),
  },
}

const EVERY: Partial<Record<BillingFrequency, PixEvery>> = {
  [BillingFrequency.WEEKLY]: 'WEEKLY',
  [BillingFrequency.QUARTERLY]: 'QUARTERLY',
  [BillingFrequency.SEMIANNUALLY]: 'SEMIANNUALLY',
  [BillingFrequency.YEARLY]: 'YEARLY',
}

function consentOf({ frequency, amount, firstDate }: PixConsent, language: Language) {
  return {
    every: EVERY[frequency] ?? 'MONTHLY',
    amount: amount === undefined ? undefined : moneyIn(language, amount),
    first: momentIn(language, firstDate),
  }
}

const DAY_MS = 86_400_000

/**
 * A charge that can be paid. `code`: what banks' apps take; `qr`: its outline; `left`: milliseconds to its end, on its
 * last day.
 */
type OpenPix = {
  code: string
  payUntil: string
  left: number | undefined
  amount: string
  /** Where its payer is played. */
  payer: string | undefined
  qr: ReturnType<typeof qrOutline>
}

function openPixOf(
  pix: PixCharge | undefined,
  language: Language,
  sandbox: string | undefined,
): OpenPix | undefined {
  if (pix?.status !== PixStatus.REGISTERED) return undefined
  const { copyAndPaste: code, expiresAt, amount } = pix
  const left = expiresAt - Date.now()
  return {
    code,
    // The last moment, so that the day is the one that still counts.
    payUntil: momentIn(language, expiresAt - 1),
    left: left > 0 && left <= DAY_MS ? left : undefined,
    amount: moneyIn(language, amount),
    payer: pixPayer(sandbox, code),
    qr: qrOutline(code),
  }
}
