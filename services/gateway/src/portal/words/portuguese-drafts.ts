/** Drafts of invoices: the form that makes and changes them, and their preview. */
export const DRAFTS = {
  Addressee: 'Destinatário',
  'An amount in reais, like 10,00, or a percentage, like 5%.':
    'Um valor em reais, como 10,00, ou uma porcentagem, como 5%.',
  'Check the items and the discount.': 'Confira os itens e o desconto.',
  'Choose a product to see the total.': 'Escolha um produto para ver o total.',
  'Compute the total': 'Calcular o total',
  'Discount for early payment': 'Desconto para pagamento antecipado',
  'Empty price: that of the product.': 'Preço em branco: o do produto.',
  'Empty: it can be paid at any time.': 'Em branco: pode ser paga a qualquer momento.',
  'Empty: on the due date.': 'Em branco: no dia do vencimento.',
  'Ends how many days before the due date': 'Termina quantos dias antes do vencimento',
  'Enter an amount or a percentage.': 'Informe um valor ou uma porcentagem.',
  'Nothing is sent. This is what the customer will see.': 'Nada é enviado. É isto que o cliente verá.',
  Preview: 'Pré-visualização',
  Subject: 'Assunto',
  Subtotal: 'Subtotal',
  'The customer has no e-mail address, so no letter is sent.':
    'O cliente não tem e-mail, então nenhum e-mail será enviado.',
  'The invoice was changed.': 'A fatura foi alterada.',
  'The letter': 'O e-mail',
  'The number and the payment page stay the same.': 'O número e a página de pagamento continuam os mesmos.',
  '{sum} until {day}': '{sum} até {day}',
} as const
