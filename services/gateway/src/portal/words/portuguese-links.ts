/** Products and their payment links. */
export const LINKS = {
  '13 letters and digits at most.': 'No máximo 13 letras e números.',
  'Check the payment link': 'Confira o link de pagamento',
  'Closed link': 'Link fechado',
  'It does not offer {methods}: you have no account for it.':
    'O link não oferece {methods}: falta a conta no banco.',
  'More than {count}': 'Mais de {count}',
  'Most installments': 'Máximo de parcelas',
  'No card fees are set up, so the payer bears none.':
    'Não há taxas de cartão cadastradas, então nada é repassado a quem paga.',
  'Nobody can pay: you have no account for {methods}.':
    'Ninguém consegue pagar: falta a conta no banco para {methods}.',
  'None ticked: all for which you have an account.': 'Nenhuma marcada: todas para as quais você tem conta.',
  'Only a product that is paid once, and has a price, has a link.':
    'Só um produto com preço e pagamento único tem link.',
  'Payment link': 'Link de pagamento',
  'Product of the payment link': 'Produto do link de pagamento',
  'QR code of the payment link': 'QR Code do link de pagamento',
  'Share this address': 'Compartilhe este endereço',
  'Sold amount': 'Valor vendido',
  Store: 'Loja',
  'The number of the store that charges the cards. Empty: your only one.':
    'O número da loja que cobra os cartões. Em branco: a loja principal.',
  'The payer bears the card fee': 'Repassar a taxa do cartão a quem paga',
  'The payment link ends. Existing invoices keep their items.':
    'O link de pagamento acaba. As faturas existentes mantêm seus itens.',
  'The payment link stays the same. Existing invoices keep their items.':
    'O link de pagamento continua o mesmo. As faturas existentes mantêm seus itens.',
  'The product was changed.': 'O produto foi alterado.',
  'Ways to pay by the link': 'Formas de pagamento do link',
}
