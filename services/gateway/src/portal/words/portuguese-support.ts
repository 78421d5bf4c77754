/** What a support clerk reads, and reads aloud to a customer. */
export const SUPPORT = {
  'All that is left stands here. For a part, type less.':
    'Aqui está tudo o que ainda pode ser estornado. Para um estorno parcial, digite menos.',
  'Ask an owner or an operator of the account.': 'Peça a um proprietário ou operador da conta.',
  'Your role does not change the theme.': 'Seu papel não altera o tema.',
  'A Pix of another amount came, and is given back. Ask for a new Pix.':
    'Chegou um Pix de outro valor, que está sendo devolvido. Peça um novo Pix.',
  'Ask the customer for a credit card, or to pay by Pix.':
    'Peça ao cliente um cartão com função crédito, ou que pague por Pix.',
  'Ask the customer for another card or Pix, or to try again tomorrow.':
    'Peça ao cliente outro cartão ou Pix, ou que tente de novo amanhã.',
  'Ask the customer for another card, a smaller amount or Pix.':
    'Peça ao cliente outro cartão, um valor menor ou Pix.',
  'Ask the customer to call the card’s bank and allow the purchase, or to pay with another card or by Pix.':
    'Peça ao cliente que ligue para o banco do cartão e libere a compra, ou que pague com outro cartão ou por Pix.',
  'Ask the customer to unlock the card in the bank’s app, or to call the bank. Or to pay with another card or by Pix.':
    'Peça ao cliente que desbloqueie o cartão no aplicativo do banco ou ligue para o banco. Ou que pague com outro cartão ou por Pix.',
  'Closed as failed by the operator of Cofre.': 'Encerrado como falha pelo operador do Cofre.',
  'Declined by the card’s bank': 'Recusado pelo banco do cartão',
  'Do not tell the customer this reason: say that the bank did not approve the payment.':
    'Não diga este motivo ao cliente: diga que o banco não aprovou o pagamento.',
  'It did not reach the acquirer. Nothing was done.': 'Não chegou à adquirente. Nada foi feito.',
  'Nobody paid in time.': 'Ninguém pagou no prazo.',
  'Not tried: another payment of the order failed before it.':
    'Não foi tentado: outro pagamento do pedido falhou antes.',
  'The account at the bank is gone. Look at the bank’s statement.':
    'A conta no banco não existe mais. Confira o extrato do banco.',
  'The acquirer confirmed later that it had not done it.':
    'A adquirente confirmou depois que não tinha feito a operação.',
  'The acquirer refused it. Nothing was done.': 'A adquirente recusou a operação. Nada foi feito.',
  'The card’s bank did not answer. Ask the customer to try again in a few minutes.':
    'O banco do cartão não respondeu. Peça ao cliente que tente de novo em alguns minutos.',
  'The charge was cancelled before it was paid.': 'A cobrança foi cancelada antes de ser paga.',
  'The payment had been voided at the acquirer.': 'O pagamento já tinha sido cancelado na adquirente.',
  '{why} (code {code})': '{why} (código {code})',
  'Accept the dispute': 'Aceitar a contestação',
  'Charged back': 'Contestada',
  'Defend the sale': 'Defender a venda',
  'Do not refund the charge as well: the customer would get the money twice.':
    'Não estorne também a cobrança: o cliente receberia o dinheiro duas vezes.',
  'Id of the return': 'Id da devolução',
  'If the sale is right, defend it: send one file with the proof, such as the fiscal note, the proof of delivery and what the customer wrote. If the customer is right, accept the dispute. Without an answer in time, it is lost.':
    'Se a venda está correta, defenda-a: envie um arquivo com as provas, como nota fiscal, comprovante de entrega e conversas com o cliente. Se o cliente tem razão, aceite a contestação. Sem resposta no prazo, ela é perdida.',
  'Look before you refund again: {sum} was refunded at {at}.':
    'Confira antes de estornar de novo: {sum} já foram estornados em {at}.',
  'Nothing was found. References, numbers and ids must be whole; of a name, the first letters of each word are enough.':
    'Nada foi encontrado. Referências, números e ids precisam estar completos; de um nome, bastam as primeiras letras de cada palavra.',
  'Newest invoices': 'Faturas mais recentes',
  'No day is set for its decision. It appears here, and nothing else is asked of you now.':
    'Não há data marcada para a decisão. Ela aparece aqui, e por enquanto nada mais é preciso.',
  'One PDF, JPEG or TIFF of at most 8 MB and 10 pages, without card numbers. Save a PNG, such as a screenshot, as PDF or JPEG first.':
    'Um PDF, JPEG ou TIFF de no máximo 8 MB e 10 páginas, sem números de cartão. Um PNG, como uma captura de tela, precisa antes ser salvo em PDF ou JPEG.',
  'Send a PDF, a JPEG or a TIFF.': 'Envie um PDF, JPEG ou TIFF.',
  'Several cards were declined within an hour.': 'Vários cartões foram recusados em menos de uma hora.',
  'The payment page may make the customer wait before another card. Other ways to pay stay open.':
    'A página de pagamento pode pedir que o cliente espere antes de tentar outro cartão. As outras formas de pagamento continuam abertas.',
  'Show all': 'Ver todas',
  'The bank asks about it. Answer the dispute.': 'O banco pede informações. Responda à contestação.',
  'The card holder disputed this charge.': 'O titular do cartão contestou esta cobrança.',
  'The card holder disputed this charge at the bank, and {sum} was taken from your receivables.':
    'O titular do cartão contestou esta cobrança no banco dele, e {sum} foram descontados dos seus recebimentos.',
  'The card holder’s bank asks about this charge. No money was taken.':
    'O banco do titular do cartão pede informações sobre esta cobrança. Nenhum valor foi descontado.',
  'The customer sees it on this statement of the card or on the next one, by its closing day.':
    'O cliente vê o estorno na fatura atual do cartão ou na próxima, conforme o fechamento.',
  'The Pix goes back to the account that it came from, usually within minutes.':
    'O Pix volta para a conta de onde saiu, em geral em poucos minutos.',
  'When the customer sees the refund': 'Quando o cliente vê o estorno',
  'number {id}': 'número {id}',
  '{name} gets a receipt at the e-mail address that the customer’s page shows.':
    '{name} recebe um comprovante no e-mail que aparece na página do cliente.',
  '{name} gets a link to the payment page at the e-mail address that the customer’s page shows.':
    '{name} recebe o link da página de pagamento no e-mail que aparece na página do cliente.',
  '{count} of more than {total}': '{count} de mais de {total}',
  '{count} of {total}': '{count} de {total}',
  '{said} Its number is {id}. {when}': '{said} O número dele é {id}. {when}',
  'The e-mail is on its way to {address}.': 'O e-mail está a caminho de {address}.',
  'The money went back through the bank. Do not refund it: the customer would get it twice.':
    'O dinheiro já voltou ao cliente pelo banco. Não estorne: ele receberia duas vezes.',
  'Your answer is on its way to the card’s bank, which decides.':
    'Sua resposta foi enviada ao banco do cartão, que decide.',
}
