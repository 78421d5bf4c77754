/** What customers owe. */
export const OWED = {
  '1 to 30 days': '1 a 30 dias',
  '31 to 60 days': '31 a 60 dias',
  '61 to 90 days': '61 a 90 dias',
  'All customers': 'Todos os clientes',
  'Customers who owe': 'Clientes em débito',
  'Customers who owe, the oldest debt first': 'Clientes em débito, do mais antigo ao mais recente',
  'Days late': 'Dias de atraso',
  'Fine and interest': 'Multa e juros',
  'Fine on top': 'Multa a acrescentar',
  'First page': 'Primeira página',
  'Interest on top': 'Juros a acrescentar',
  Lateness: 'Atraso',
  'Next page': 'Próxima página',
  'No other customer is on this page.': 'Não há outro cliente nesta página.',
  'Nobody owes you anything.': 'Ninguém deve nada a você.',
  'Not due': 'A vencer',
  'Of that, past due': 'Desse valor, vencido',
  'Oldest invoice': 'Fatura mais antiga',
  'Over 90 days': 'Mais de 90 dias',
  Owed: 'Em aberto',
  'The customer owes nothing.': 'O cliente não deve nada.',
  'The sums are of the 100,000 oldest open invoices.':
    'As somas são das 100.000 faturas em aberto mais antigas.',
  'These are issued invoices, with what is left of them today. Fine and interest come on top. Drafts and invoices that you gave up as uncollectible are left out.':
    'São as faturas emitidas, com o que resta de cada uma hoje. Multa e juros são cobrados à parte. Ficam de fora os rascunhos e as faturas que você deu como incobráveis.',
  'What the customer owes': 'O que o cliente deve',
} as const
