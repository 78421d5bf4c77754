import { randomInt } from 'node:crypto'
import type { Answer } from '../partner-call'
import { cardOutcome } from './card-outcome'
import { Refusal } from './refusal'
import { readCard } from './sale-request'
import { brandNamed, brokenCardRules } from './sale-rules'

const BRANDS = ['Visa', 'Master', 'Elo']

/** POST /1/zeroauth: says whether a card is good. Nothing is kept, nothing moves. */
export function checkCard(body: unknown): Answer {
  const card = readCard(body)
  if (Object.keys(card).length === 0) throw new Refusal(400, 184)
  const codes = brokenCardRules(card)
  if (codes.length > 0) throw new Refusal(400, ...codes)
  // This one error is a bare object, unlike all others.
  if (!BRANDS.includes(brandNamed(card.brand) ?? '')) {
    return { status: 400, body: { Code: 57, Message: 'Bandeira inválida' } }
  }

  const outcome = cardOutcome(card.cardNumber ?? '')
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
