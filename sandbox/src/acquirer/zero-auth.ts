import { randomInt } from 'node:crypto'
import type { Answer } from '../partner-call'
import type { Acquirer } from './acquirer'
import { cardOutcome } from './card-outcome'
import { Refusal } from './refusal'
import { readCard } from './sale-request'
import { brandNamed, brokenCardRules } from './sale-rules'

const BRANDS = ['Visa', 'Master', 'Elo']

/** Handles POST /1/zeroauth, which says whether a card is valid. It moves no money. */
export function checkCard({ credentials }: Acquirer, merchantId: string, body: unknown): Answer {
  const card = readCard(body)
  if (Object.keys(card).length === 0) throw new Refusal(400, 184)
  const codes = brokenCardRules(card)
  if (codes.length > 0) throw new Refusal(400, ...codes)
  // Unlike all other errors, this one is a bare object.
  if (!BRANDS.includes(brandNamed(card.brand) ?? '')) {
    return { status: 400, body: { Code: 57, Message: 'Bandeira inválida' } }
  }

  const outcome = cardOutcome(card.cardNumber ?? '')
  const key = `${merchantId} ${brandNamed(card.brand)} ${card.cardNumber?.slice(-4)}`
  if (outcome.approved && card.cardOnFile) credentials.note([key], 'agreed', Date.now())
  return {
    status: 200,
    lost: outcome.approved && outcome.answerLost,
    body: {
      Valid: outcome.approved,
      ReturnCode: outcome.approved ? '00' : outcome.returnCode,
      ReturnMessage: outcome.approved ? 'Transacao autorizada' : outcome.message,
      IssuerTransactionId: String(randomInt(10 ** 12, 10 ** 13)).padStart(15, '0'),
    },
  }
}
