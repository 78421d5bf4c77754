/** The e-mails to customers. */
export const LETTERS = {
  'A charge was given back': 'Uma cobrança foi devolvida',
  'Cancelled invoice': 'Fatura cancelada',
  'E-mail address': 'Endereço de e-mail',
  'E-mails to the customer': 'E-mails ao cliente',
  'No e-mail was sent in the last 30 days.': 'Nenhum e-mail foi enviado nos últimos 30 dias.',
  'Not sent: no longer true': 'Não enviado: já não valia',
  'Not sent: the mail server did not answer': 'Não enviado: o servidor de e-mail não respondeu',
  'On its way': 'A caminho',
  'Declined card, which is charged again': 'Cartão recusado, que será cobrado de novo',
  'Pix Automático did not go through': 'O Pix Automático não foi concluído',
  'Receipt of the payment': 'Recibo do pagamento',
  'Refused by the mail server': 'Recusado pelo servidor de e-mail',
  Reminder: 'Lembrete',
  'Request to pay': 'Pedido de pagamento',
  Sent: 'Enviado',
  'The card could not be charged': 'Não foi possível cobrar o cartão',
} as const
