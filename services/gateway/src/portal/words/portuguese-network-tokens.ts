/** Network tokens. */
export const NETWORK_TOKENS = {
  'Ask for the token again.': 'Peça o token de novo.',
  Deactivate: 'Desativar',
  'First six digits': 'Seis primeiros dígitos',
  Holder: 'Portador',
  Inactive: 'Inativo',
  'Network token of {card}': 'Token da bandeira de {card}',
  'Network tokens': 'Tokens da bandeira',
  'No answer came in time. Ask for the token again.': 'A resposta não chegou a tempo. Peça o token de novo.',
  'No network token has been asked for yet.': 'Nenhum token da bandeira foi pedido ainda.',
  'The acquirer refused the request. Ask it whether your account may have network tokens.':
    'A adquirente recusou o pedido. Pergunte a ela se a sua conta pode ter tokens da bandeira.',
  'The card can have no network token. Charge the card itself.':
    'O cartão não aceita token da bandeira. Cobre o próprio cartão.',
  'The card has expired. Ask for a new one.': 'O cartão venceu. Peça outro.',
  'The card network deletes the token: nothing can be charged with it any more. A new one can be asked for.':
    'A bandeira apaga o token: nada mais pode ser cobrado com ele. Um novo pode ser pedido.',
  'The card network did not answer. Ask for the token again.':
    'A bandeira não respondeu. Peça o token de novo.',
  'The card network made no token.': 'A bandeira não gerou o token.',
  'The issuer refused the token. The customer may ask the issuer, or use another card.':
    'O emissor recusou o token. O cliente pode falar com o emissor ou usar outro cartão.',
  'The token was deactivated.': 'O token foi desativado.',
} as const
