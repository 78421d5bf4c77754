import { listIn } from '@cofre/platform/written'
import { DeclineAdvice } from '@cofre/proto/orders/v1/orders'
import type { PixEvery, Words } from './words'

const EVERY: Record<PixEvery, string> = {
  WEEKLY: 'a week',
  MONTHLY: 'a month',
  QUARTERLY: 'a quarter',
  SEMIANNUALLY: 'every six months',
  YEARLY: 'a year',
}

const yours = (cards: readonly string[]) =>
  cards.length === 0 ? 'your saved card' : `your ${listIn('en', cards)}`

export const ENGLISH: Words = {
  language: 'en',
  otherLanguage: { language: 'pt-BR', name: 'Português' },
  skip: 'Skip to payment',
  payTitle: (number, sellerName) => `Invoice ${number}${sellerName === '' ? '' : ` · ${sellerName}`}`,
  labels: {
    invoice: 'Invoice',
    billedTo: 'Billed to',
    dueDate: 'Due date',
    paidOn: 'Paid on',
    card: 'Card',
    items: 'Items',
    subtotal: 'Subtotal',
    fine: 'Fine',
    interest: 'Interest',
    lateCharges: 'Fine and interest',
    refunded: 'Refunded',
    toPay: 'Total to pay',
    left: 'Left to pay',
    alreadyPaid: 'Already paid',
    writtenOff: 'Reduction',
    total: 'Total',
    paid: 'Total paid',
    pastDue: 'Past due',
  },
  more: (count) => (count === 1 ? '1 more item' : `${count} more items`),
  moment: (day, clock) => `${day}, ${clock}`,
  discount: (lastDay) => `Discount until ${lastDay}`,
  includesLateCharges: 'The total includes charges for late payment.',
  grows: 'Total as of today: interest increases every day.',
  playPayer: 'Sandbox: play the payer',
  waits: (amount) =>
    `We received ${amount} that was not used for this invoice yet. Before you pay again, contact the seller.`,
  howToPay: 'How would you like to pay?',
  methods: { CREDIT_CARD: 'Credit card', BOLETO: 'Boleto', PIX: 'Pix' },
  card: {
    number: 'Card number',
    expiry: 'Expiry date',
    expiryHint: 'MM/YY',
    cvv: 'Security code',
    cvvHint: 'CVV',
    holder: 'Name on card',
    installments: 'Installments',
    option: ({ count, each, first }, money, interestFree) => {
      if (count === 1) return `In full: ${money(each)}`
      const free = interestFree ? ' interest-free' : ''
      return `${count} × ${money(each)}${free}${first === each ? '' : ` (first ${money(first)})`}`
    },
    payWithCard: 'Pay by card',
    pay: (amount) => `Pay ${amount}`,
    paying: 'Sending your payment…',
    keep: 'Save this card for automatic charges by this seller: the next invoices, and those that are still open. It replaces a card that you saved before. You can remove it whenever you like, on the page of any invoice.',
    safe: 'Your card is encrypted in this browser before it is sent.',
    needsScript: 'To pay by card, turn on JavaScript: it encrypts your card before it is sent.',
    needsHttps: 'This browser cannot encrypt your card. Open this page over https, in an up-to-date browser.',
    noAnswer: 'We could not reach the server, and you were not charged. Check your connection and try again.',
    faults: {
      number: 'Check the card number.',
      expiry: 'Enter the month and year of expiry, such as 08/30.',
      expired: 'This card has expired.',
      cvv: 'Enter the code: 3 digits on the back, or 4 on the front of an Amex.',
      holder: 'Enter the name as it is on the card.',
      installments: 'Choose one of the options listed.',
    },
  },
  boleto: {
    intro:
      'A boleto is a bank slip. Pay it in your Brazilian banking app, at an ATM or at a lottery shop. Confirmation can take up to 3 business days.',
    create: 'Create boleto',
    creating: 'Creating your boleto…',
    ready: 'Your boleto is ready',
    payUntil: 'Pay by',
    amount: 'Amount',
    line: 'Payment code',
    copy: 'Copy code',
    copied: 'Code copied',
    pdf: 'Open boleto as PDF',
    waits: 'This page updates automatically when the bank confirms your payment.',
    requested: {
      title: 'Registering your boleto',
      text: 'The bank is registering the boleto. This usually takes a few seconds.',
    },
    unavailable: 'This invoice cannot be paid with a boleto. Pay another way.',
    refused: 'The bank did not register the boleto. Create another one or pay another way.',
    barcode: 'Barcode of the boleto',
  },
  pix: {
    intro: 'Pay in your Brazilian banking app, at any hour. Confirmation takes seconds.',
    create: 'Create Pix code',
    creating: 'Creating your Pix code…',
    ready: 'Your Pix is ready',
    payUntil: 'Pay by',
    amount: 'Amount as of today',
    howTo: 'In your banking app, choose Pix and scan the QR code, or paste the code (Pix Copia e Cola).',
    code: 'Pix code to paste',
    copy: 'Copy Pix code',
    copied: 'Code copied',
    qrCode: 'QR code of the Pix. The text below is the same code.',
    left: 'Time left',
    waits: 'Waiting for your payment. This page updates automatically.',
    havePaid: 'I have paid',
    automatic: {
      title: 'Pix Automático',
      text: ({ every, amount, first }) =>
        `With this code you can also allow Pix Automático: your bank pays ${amount ?? 'the amount of each invoice, up to the limit that you set in your banking app,'} ${EVERY[every]}, from ${first} on.`,
      cancel: 'You can cancel it at any time in your banking app.',
      collected: (day) =>
        `Your bank will pay this invoice by Pix Automático on ${day}. There is no need to pay now.`,
    },
    requested: {
      title: 'Creating your Pix',
      text: 'The bank is registering the charge. This usually takes a few seconds.',
    },
    unavailable: 'This invoice cannot be paid with Pix. Pay another way.',
    refused: 'The bank did not register the Pix charge. Create another one or pay another way.',
  },
  buy: {
    pageTitle: (product, sellerName) => `${product}${sellerName === '' ? '' : ` · ${sellerName}`}`,
    price: 'Price',
    payBy: 'Ways to pay',
    upTo: (best) => `or up to ${best} by card`,
    who: 'Your details',
    why: 'We use them for the payment and the receipt.',
    name: 'Full name',
    document: 'CPF or CNPJ',
    email: 'E-mail',
    go: 'Continue to payment',
    faults: {
      name: 'Enter your name.',
      document: 'Enter a valid CPF or CNPJ.',
      email: 'Enter a valid e-mail, such as ana@example.com.',
    },
    closed: {
      title: 'This link is closed',
      text: 'The shop no longer sells through this link. If you bought already, use the link of your payment.',
    },
    waiting: (minutes) => ({
      title: 'You have purchases that await payment',
      text: `Pay one of them, or wait ${minutes === 1 ? '1 minute' : `${minutes} minutes`} and try again.`,
    }),
  },
  keptCard: {
    text: (cards) =>
      cards.length === 0
        ? 'A card of yours is saved here for automatic charges.'
        : `Saved here for automatic charges: your ${listIn('en', cards)}.`,
    remove: 'Remove saved card',
    ask: {
      title: 'Remove your saved card?',
      text: (cards) => `We will no longer charge ${yours(cards)} automatically.`,
      yes: 'Yes, remove it',
      no: 'No, keep it',
    },
    removed: {
      title: 'Saved card removed',
      text: (cards) => `We will not charge ${yours(cards)} automatically any more.`,
      pay: 'Pay this invoice',
      back: 'Back to the invoice',
    },
    mailed: 'Your next invoices will come by e\u2011mail, each with a link to pay it.',
    notMailed: 'Ask the seller for the links of your next invoices: we have no e-mail address of yours.',
  },
  nextCharge: (on, card) =>
    `We will charge your ${card ?? 'saved card'} on ${on}. There is no need to pay now.`,
  declined: {
    title: 'Payment not approved',
    nothingCharged: (card) => (card ? `Your ${card} was not charged.` : 'You were not charged.'),
    retry: (on, card, next) =>
      `We will try again on ${on}${next ? ` with ${next === card ? 'the same card' : `your ${next}`}` : ''}: you need not do anything. Or pay now with another card.`,
    advice: {
      [DeclineAdvice.UNSPECIFIED]: 'Try another card or pay another way.',
      [DeclineAdvice.TRY_LATER]:
        'Your bank did not approve it right now. Wait a little and try again, or use another card.',
      [DeclineAdvice.USE_ANOTHER_CARD]:
        'Your bank did not approve this card. Use another card or ask your bank.',
      [DeclineAdvice.DO_NOT_RETRY]: 'This card cannot be used. Use another card.',
      [DeclineAdvice.FIX_DATA]: 'Check the number, expiry date and security code, then try again.',
    },
  },
  confirming: {
    title: 'Confirming your payment',
    text: 'The bank has not answered yet. Do not pay again: this page updates automatically when it does.',
  },
  refresh: 'Refresh now',
  paid: { title: 'Payment received', text: 'Thank you! You can close this page.' },
  backToShop: 'Back to the shop',
  print: 'Print receipt',
  void: { title: 'This invoice was canceled', text: 'There is nothing to pay.' },
  expired: {
    title: 'This invoice has expired',
    text: 'This invoice can no longer be paid here. Ask the sender for a new one.',
  },
  noMethod: 'This invoice cannot be paid here. Contact the sender.',
  nothingToPay: { title: 'There is nothing to pay', text: 'The total of this invoice is zero.' },
  notFound: {
    title: 'Page not found',
    text: 'Check the address, or ask the sender for a new link.',
  },
  tooMany: {
    title: 'Too many attempts',
    text: (minutes) =>
      `You were not charged. Wait ${minutes === 1 ? '1 minute' : `${minutes} minutes`} and try again, or pay another way.`,
  },
  openTooLong: {
    title: 'Your details were not accepted',
    text: 'You were not charged. Allow cookies for this page, check your details and send them again.',
  },
  amountChanged: {
    title: 'The amount has changed',
    text: 'The total changed after you opened this page. Check the new amount and pay again.',
  },
  sealExpired: {
    title: 'Enter your card again',
    text: 'You were not charged. We could not use the card details that you sent.',
  },
  cardNotTaken: {
    title: 'This card is not accepted here',
    text: 'You were not charged. Use a card of another brand or pay another way.',
  },
  challenge: {
    title: 'Your bank asks you to confirm',
    text: 'We are taking you to your bank’s page. Your card is charged only after you confirm there.',
    go: 'Go to my bank',
  },
  notAuthenticated: {
    title: 'Your bank did not confirm the payment',
    text: 'You were not charged. Try again, use another card or pay another way.',
  },
  busy: {
    title: 'One moment, please',
    text: 'We are very busy right now and could not check your payment yet. Try again in a few seconds.',
  },
  tryAgain: 'Try again',
  unavailable: {
    title: 'We cannot continue right now',
    text: 'You were not charged. Try again in a moment.',
  },
  failed: {
    title: 'Something failed on our side',
    text: 'We recorded the error. Open the page again before you try to pay once more.',
  },
  requestId: 'Error code',
  footer: 'Secure payment by Cofre',
}
