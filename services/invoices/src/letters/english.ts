import { dayIn, moneyIn } from '@cofre/platform/written'
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
    sentence: ({ number }, from) =>
      `Invoice ${number}${from} could not be charged to your card on file. Please pay with another card, or in another way, using the link below.`,
  },
  receipt: {
    subject: ({ number }, from) => `Receipt for invoice ${number}${from}`,
    title: 'Payment received',
    sentence: ({ number }, paidOn) =>
      `Your payment for invoice ${number} was received on ${paidOn}. Thank you!`,
  },
  from: (sellerName) => (sellerName === '' ? '' : ` from ${sellerName}`),
  labels: {
    invoice: 'Invoice',
    dueDate: 'Due date',
    paidOn: 'Paid on',
    items: 'Items',
    subtotal: 'Subtotal',
    fine: 'Fine',
    interest: 'Interest',
    lateCharges: 'Fine and interest',
    refunded: 'Refunded',
    toPay: 'Total to pay',
    paid: 'Total paid',
    pay: 'Pay the invoice',
  },
  more: (count) => (count === 1 ? 'and 1 more item' : `and ${count} more items`),
  orOpen: 'Or open in your browser:',
  grows: 'Total as of today: interest increases every day.',
  why: (sellerName) =>
    sellerName === ''
      ? 'You get this e-mail because there is an invoice in your name.'
      : `You get this e-mail because ${sellerName} issued an invoice in your name.`,
  doubt: 'If you do not recognize this invoice, do not pay it. Contact the seller that issued it.',
}
