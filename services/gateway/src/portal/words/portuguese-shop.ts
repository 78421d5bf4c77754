/** What a shop without a developer reads when it bills, and gives money back. */
export const SHOP = {
  Back: 'Voltar',
  'Charged to {card} on the due date': 'Cobrado em {card} no vencimento',
  'Collected by Pix Automático on the due date': 'Cobrado por Pix Automático no vencimento',
  'Create a product and share its link, or bill a customer with an invoice.':
    'Crie um produto e compartilhe o link, ou cobre um cliente com uma fatura.',
  'Enter a valid CPF or CNPJ.': 'Informe um CPF ou CNPJ válido.',
  'Enter digits.': 'Informe só números.',
  'From 1 to 12. 1: only in full. The payer pays no interest, unless you pass the card fee on.':
    'De 1 a 12. 1: só à vista. Quem compra não paga juros, a não ser que você repasse a taxa do cartão.',
  Issued: 'Emitido',
  'Latest invoices': 'Últimas faturas',
  'Waits for a card or a Pix permission.': 'Esperando o cartão ou a permissão de Pix.',
  'Waits for a card or a Pix permission. Until then the customer gets each invoice by e-mail.':
    'Esperando o cartão ou a permissão de Pix. Até lá, o cliente recebe cada fatura por e-mail.',
  '0: until the due date.': '0: até o vencimento.',
  'A CPF, a CNPJ, or the beginning of the name.': 'CPF, CNPJ ou o começo do nome.',
  'Another customer has this CPF or CNPJ. Tick the box below to create one more.':
    'Já existe um cliente com este CPF ou CNPJ. Para criar mais um, marque a opção abaixo.',
  'Choose a customer': 'Escolha um cliente',
  'Create one more customer with this CPF or CNPJ': 'Criar mais um cliente com este CPF ou CNPJ',
  'Discount for early payment (%)': 'Desconto por pagamento antecipado (%)',
  'Empty: no discount.': 'Em branco: sem desconto.',
  'Empty: no fine. The law allows at most 2% for consumers.':
    'Em branco: sem multa. Para consumidores, a lei permite até 2%.',
  'Empty: no interest. 1% a month is usual.': 'Em branco: sem juros. O usual é 1% ao mês.',
  'Enter a percentage, like 2 or 1,5.': 'Informe uma porcentagem, como 2 ou 1,5.',
  'Fine for late payment (%)': 'Multa por atraso (%)',
  'From 1 to 12. 1: only in full. The payer pays no interest: the fee of the installments is yours.':
    'De 1 a 12. 1: só à vista. Quem compra paga o preço sem juros; a taxa do parcelamento é sua.',
  'Interest for late payment (% a month)': 'Juros por atraso (% ao mês)',
  'Last day of the discount: days before the due date':
    'Desconto válido até quantos dias antes do vencimento',
  'Most installments by card': 'Máximo de parcelas no cartão',
  'No customer has this CPF, CNPJ or name. Create the customer first.':
    'Nenhum cliente tem este CPF, CNPJ ou nome. Crie o cliente antes.',
  'Several customers match. Choose one.': 'Mais de um cliente corresponde. Escolha um.',
  'Which of them': 'Qual deles',
  Abandoned: 'Abandonada',
  'Given back in full': 'Devolvida',
  'Paid, given back in part': 'Paga, devolvida em parte',
  'Purchase not finished': 'Compra não concluída',
  'Refund to the card': 'Estornar no cartão',
  'This money did not come by Pix or card, so Cofre cannot send it back. Give it back yourself, then record it here: at most {left}.':
    'Este dinheiro não veio por Pix nem por cartão, então o Cofre não consegue enviá-lo de volta. Devolva você mesmo, por exemplo com uma transferência, e registre aqui: no máximo {left}.',
  'Choose a picture.': 'Escolha uma imagem.',
  Picture: 'Imagem',
  'PNG, JPEG or WebP, at most 200 KB. It becomes the logo at once; changes of colors above that you have not saved are lost.':
    'PNG, JPEG ou WebP, no máximo 200 KB. Vira o logotipo na hora; mudanças de cores acima que você não salvou se perdem.',
  'The picture must be a PNG, a JPEG or a WebP.': 'A imagem precisa ser PNG, JPEG ou WebP.',
  'The picture must have at most 200 KB.': 'A imagem pode ter no máximo 200 KB.',
  'Upload a logo': 'Enviar um logotipo',
  'Upload the logo': 'Enviar o logotipo',
}
