import { cardIn, dayIn, moneyIn } from '@cofre/platform/written'
import type { Words } from './words'

export const ENGLISH: Words = {
  language: 'en',
  money: (cents) => moneyIn('en', cents),
  day: (day) => dayIn('en', day),
  greeting: (name) => (name === '' ? 'Hello,' : `Hello ${name},`),
  issued: {
    subject: ({ number, due }, from) => `Invoice ${number}${from}: due on ${due}`,
    title: 'Your invoice is here',
    sentence: ({ number, due }, from) => `Invoice ${number}${from} is due on ${due}.`,
  },
  reminder: {
    before: {
      subject: ({ number, due }, from) => `Reminder: invoice ${number}${from} is due on ${due}`,
      title: 'Your invoice is due soon',
      sentence: ({ number, due }, from) =>
        `Invoice ${number}${from} is due on ${due}. If you have paid it, there is nothing left to do.`,
    },
    today: {
      subject: ({ number }, from) => `Invoice ${number}${from} is due today`,
      title: 'Your invoice is due today',
      sentence: ({ number, due }, from) =>
        `Invoice ${number}${from} is due today, ${due}. If you have paid it, there is nothing left to do.`,
    },
    grace: {
      subject: ({ number, lastDay }, from) => `Invoice ${number}${from}: pay by ${lastDay} without a fine`,
      title: 'Your invoice is not paid yet',
      sentence: ({ number, due, lastDay }, from) =>
        `Invoice ${number}${from} was due on ${due}, when banks were closed. If you pay by ${lastDay}, there is no fine and no interest.`,
    },
    late: {
      subject: ({ number, due }, from) => `Invoice ${number}${from} was due on ${due}`,
      title: 'Your invoice is overdue',
      sentence: ({ number, due }, from) =>
        `Invoice ${number}${from} was due on ${due} and is not paid yet. If you have paid it, there is nothing left to do.`,
    },
  },
  declined: {
    subject: ({ number }, from) => `Invoice ${number}${from}: your card could not be charged`,
    title: 'Your card could not be charged',
    sentence: ({ number }, from, { card = 'card on file' }) =>
      `Invoice ${number}${from} could not be charged to your ${card}. Please pay with another card, or in another way, using the link below.`,
  },
  retry: {
    subject: ({ number }, from) => `Invoice ${number}${from}: your card was not charged, we will try again`,
    title: 'Your card was not charged',
    sentence: ({ number }, from, { card, next, on }) =>
      `The charge for invoice ${number}${from}${card ? ` to your ${card}` : ''} did not go through. We will try again${on ? ` on ${on}` : ''}${next ? ` with ${next === card ? 'the same card' : `your ${next}`}` : ''}: you need not do anything. Or use the link below to pay now in another way, or to leave another card.`,
  },
  free: (on) => `Until ${on} there is no fine and no interest.`,
  whyDeclined: {
    expired: 'The card has expired, or its expiry date has changed.',
    silent: 'The bank of the card did not answer.',
    refused: 'The bank of the card did not approve the charge. Only the bank can say why.',
  },
  notCollected: {
    subject: ({ number }, from) => `Invoice ${number}${from}: Pix Automático did not go through`,
    title: 'Pix Automático did not go through',
    sentence: ({ number }, from) =>
      `Your bank did not pay invoice ${number}${from} by Pix Automático. Pay in another way at the link below.`,
  },
  receipt: {
    subject: ({ number }, from) => `Receipt for invoice ${number}${from}`,
    title: 'Payment received',
    sentence: ({ number }, from, paidOn) =>
      `Your payment for invoice ${number}${from} was received on ${paidOn}. Thank you!`,
  },
  givenBack: {
    subject: ({ number }, from) => `Invoice ${number}${from}: the charge to your card was refunded`,
    title: 'Your card was refunded',
    paidOtherwise: ({ number }, from) =>
      `Your card was charged for invoice ${number}${from}, but the invoice had already been paid in another way. The amount below was refunded.`,
    notTaken: ({ number }, from) =>
      `Your card was charged for invoice ${number}${from}, but the payment could not be completed. The amount below was refunded.`,
    shows: 'It may take a few days until the refund appears on your card statement.',
  },
  refunded: {
    subject: ({ number }, from, amount) => `Invoice ${number}${from}: ${amount} refunded`,
    title: 'Your money was refunded',
    whole: ({ number }, from, on) => `What you paid for invoice ${number}${from} was refunded on ${on}.`,
    part: ({ number }, from, on) =>
      `Part of what you paid for invoice ${number}${from} was refunded on ${on}.`,
    comes: {
      CREDIT_CARD:
        'The money goes back to the card that you paid with. It may take a few days until the refund appears on your card statement.',
      PIX: 'The money goes back by Pix to the account that it came from.',
      BOLETO: 'Whoever issued the invoice gave the money back to you directly.',
      EXTERNAL: 'Whoever issued the invoice gave the money back to you directly.',
    },
  },
  booklet: {
    subject: ({ count, due }, from) =>
      count === 1
        ? `Booklet${from}: 1 invoice, due on ${due}`
        : `Booklet${from}: ${count} invoices, the first due on ${due}`,
    title: 'Your booklet is here',
    sentence: ({ count, due }, from) =>
      count === 1
        ? `Your booklet${from} has 1 invoice, which is due on ${due}.`
        : `Your booklet${from} has ${count} invoices. The first is due on ${due}.`,
    part: (number, due) => `Invoice ${number}, due on ${due}`,
    attached: 'The boletos are attached, in one PDF.',
    others: 'You get the other boletos on the page of each invoice.',
    pay: 'Pay the first invoice',
  },
  voided: {
    subject: ({ number }, from) => `Invoice ${number}${from} was cancelled: you need not pay it`,
    title: 'Your invoice was cancelled',
    sentence: ({ number, due }, from) =>
      `Invoice ${number}${from}, due on ${due}, was cancelled. You need not pay it.`,
    note: 'Please do not use the boleto or Pix code of this invoice any more. If you have paid it, contact whoever issued it.',
  },
  from: (sellerName) => (sellerName === '' ? '' : ` from ${sellerName}`),
  labels: {
    invoice: 'Invoice',
    dueDate: 'Due date',
    boletoLine: 'Digitable line of the boleto',
    paidOn: 'Paid on',
    paidBy: 'Paid with',
    items: 'Items',
    invoices: 'Invoices',
    booklet: 'Total of the booklet',
    subtotal: 'Subtotal',
    fine: 'Fine',
    interest: 'Interest',
    lateCharges: 'Fine and interest',
    refunded: 'Refunded',
    givenBack: 'Amount refunded',
    voided: 'Amount cancelled',
    toPay: 'Total to pay',
    left: 'Left to pay',
    alreadyPaid: 'Already paid',
    writtenOff: 'Reduction',
    paid: 'Total paid',
    pay: 'Pay the invoice',
    manage: 'View the invoice, or remove the saved card',
  },
  pix: {
    title: 'Pay by Pix',
    howTo: (lastDay) =>
      `In your banking app, choose Pix and scan the QR code, or paste the code (Pix Copia e Cola). The code works until ${lastDay}; the invoice stays due on its own day.`,
    label: 'Pix code to paste',
    picture: 'QR code of the Pix',
  },
  paidBy: ({ method, installments, card }) => {
    if (method !== 'CREDIT_CARD')
      return { PIX: 'Pix', BOLETO: 'Boleto', EXTERNAL: 'Paid to the shop itself' }[method]
    const by = card ? `Credit card (${cardIn('en', card)})` : 'Credit card'
    if (installments === null) return by
    return installments > 1 ? `${by}, ${installments} installments` : `${by}, in full`
  },
  discount: (lastDay) => `Discount until ${lastDay}`,
  more: (count) => (count === 1 ? 'and 1 more item' : `and ${count} more items`),
  orOpen: 'Or open in your browser:',
  waits: (amount) =>
    `We received ${amount} that was not used for this invoice yet. Before you pay again, contact the seller.`,
  attached: 'The boleto is attached as a PDF.',
  grows: 'Total as of today: interest increases every day.',
  questions: ({ email, phone }) => {
    const ways = [email && `write to ${email}`, phone && `call ${phone}`].filter((way) => way !== '')
    return `Questions? Please ${ways.join(' or ')}.`
  },
  why: (sellerName) =>
    sellerName === ''
      ? 'You get this e-mail because there is an invoice in your name.'
      : `You get this e-mail because ${sellerName} issued an invoice in your name.`,
  doubt: (sellerName) =>
    `If you do not recognize this invoice, do not pay it. Contact ${sellerName === '' ? 'the seller that issued it' : sellerName}.`,
}
