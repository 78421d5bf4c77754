import { dayIn, moneyIn } from '@cofre/platform/written'
import type { Language } from '../queue/email'
import type { DisputeFacts } from './user-letter-store'
import type { UserWords } from './user-words'

type Written = Pick<UserWords, 'subject' | 'title' | 'sentence' | 'next'>

/** The texts of a letter about a dispute: it was opened, or its last day comes. */
export function disputeWords(language: Language, facts: DisputeFacts): UserWords {
  const amount = moneyIn(language, facts.amount)
  const day = facts.respondBy && dayIn(language, facts.respondBy)
  const isEnglish = language === 'en'
  const written = isEnglish ? inEnglish(facts, amount, day) : inPortuguese(facts, amount, day)
  const labels = isEnglish ? ENGLISH : PORTUGUESE
  return {
    ...written,
    greeting: labels.greeting,
    facts: [
      { label: labels.amount, value: amount },
      { label: labels.customer, value: facts.customer },
      { label: labels.invoice, value: facts.invoiceNumber },
      { label: labels.order, value: facts.invoiceNumber ? '' : facts.orderReference },
      { label: labels.card, value: facts.card },
      { label: labels.reason, value: facts.reason },
      { label: labels.respondBy, value: day },
      { label: labels.inApi, value: `/api/v2/disputes/${facts.disputeId}` },
    ].filter(({ value }) => value !== ''),
    action: labels.open,
    orOpen: labels.orOpen,
    why: labels.why,
    path: `/portal/disputes/${facts.disputeId}`,
  }
}

const PORTUGUESE = {
  greeting: 'Olá!',
  amount: 'Valor contestado',
  customer: 'Cliente',
  invoice: 'Fatura',
  order: 'Pedido',
  card: 'Cartão',
  reason: 'Motivo',
  respondBy: 'Responder até',
  inApi: 'Na API',
  open: 'Abrir a contestação',
  orOpen: 'Ou abra no navegador:',
  why: 'Você recebe este e-mail porque tem uma conta no portal Cofre.',
}

const ENGLISH: typeof PORTUGUESE = {
  greeting: 'Hello!',
  amount: 'Disputed amount',
  customer: 'Customer',
  invoice: 'Invoice',
  order: 'Order',
  card: 'Card',
  reason: 'Reason',
  respondBy: 'Respond by',
  inApi: 'In the API',
  open: 'Open the dispute',
  orOpen: 'Or open in your browser:',
  why: 'You get this e-mail because you have an account in the Cofre portal.',
}

/** `day`: the last one for an answer; empty where the acquirer names none. */
function inPortuguese(
  { disputeId, isReminder, withdrawn, needsResponse }: DisputeFacts,
  amount: string,
  day: string,
): Written {
  const taken = withdrawn
    ? 'O titular do cartão contestou esta cobrança no banco dele, e o valor foi descontado dos seus recebimentos.'
    : 'O banco do titular do cartão pede informações sobre esta cobrança. Nenhum valor foi descontado.'
  const until = day ? `até ${day}` : 'o quanto antes'
  const answer = `Se a venda está correta, envie ${until} um arquivo com as provas, como nota fiscal, comprovante de entrega e conversas com o cliente. Se o cliente tem razão, aceite a contestação. Sem resposta no prazo, ela é perdida.`
  return {
    subject: isReminder
      ? `Responda à contestação ${disputeId} ${until}`
      : `Cobrança de ${amount} contestada no cartão`,
    title: isReminder ? 'O prazo de uma contestação está acabando' : 'Uma cobrança foi contestada',
    sentence: isReminder ? 'Esta contestação ainda não foi respondida.' : taken,
    next: needsResponse ? answer : 'Por enquanto, não é preciso responder.',
  }
}

function inEnglish(
  { disputeId, isReminder, withdrawn, needsResponse }: DisputeFacts,
  amount: string,
  day: string,
): Written {
  const taken = withdrawn
    ? 'The cardholder disputed this charge at their bank, and the amount was deducted from your receivables.'
    : 'The cardholder’s bank asks for information about this charge. Nothing was deducted.'
  const until = day ? `by ${day}` : 'as soon as you can'
  const answer = `If the sale is valid, send ${until} one file that proves it, such as the fiscal note, the proof of delivery and what the customer wrote. If the customer is right, accept the dispute. Without an answer in time it is lost.`
  return {
    subject: isReminder
      ? `Respond to dispute ${disputeId} ${until}`
      : `A card charge of ${amount} was disputed`,
    title: isReminder ? 'A dispute must be answered soon' : 'A charge was disputed',
    sentence: isReminder ? 'Nobody has answered this dispute yet.' : taken,
    next: needsResponse ? answer : 'No answer is needed for now.',
  }
}
