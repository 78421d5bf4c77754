/** The credentials of an account at each partner that needs some, with an example of each. */
export const PARTNER_CREDENTIALS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  acquirer: { merchantId: '6f1e9c4a-20d5-4c3b-9a4e-0d7b5f1c2e3a', merchantKey: 'EXAMPLEKEY…' },
  'token-service': { merchantId: '6f1e9c4a-20d5-4c3b-9a4e-0d7b5f1c2e3a', merchantKey: 'EXAMPLEKEY…' },
  'acquirer-disputes': {
    clientId: 'example-client',
    clientSecret: 'example-secret…',
    certificate: '(PEM)',
    privateKey: '(PEM)',
  },
  pix: {
    clientId: 'example-client',
    clientSecret: 'example-secret…',
    certificate: '(PEM)',
    privateKey: '(PEM)',
  },
  bank: { convenio: '1234567', chave: 'example-key…' },
  'three-d-secure': { merchantId: 'loja-azul', apiKey: 'example-key…' },
  alelo: { affiliationCode: '4711', apiKey: 'example-key…' },
  vr: { estabelecimento: '4711', chave: 'example-key…' },
  'ticket-merchant': { merchantId: '4711', apiKey: 'example-key…' },
  'ticket-identity': { clientSecret: 'example-secret…' },
}

/** Returns the help text: a line for each partner with its credentials. */
export function describePartners(): string {
  const width = Math.max(...Object.keys(PARTNER_CREDENTIALS).map((partner) => partner.length))
  return Object.entries(PARTNER_CREDENTIALS)
    .map(([partner, example]) => `  ${partner.padEnd(width)}  ${JSON.stringify(example)}\n`)
    .join('')
}
