/** The partners of a test, all at one address. */
export function partnerSettings(url: string, caFile: string) {
  const acquirer = {
    url,
    callers: ['orders'],
    caFile,
    routes: ['POST /1/sales', 'POST /1/zeroauth'],
    fields: {
      cardNumber: ['/Payment/CreditCard/CardNumber', '/CardNumber'],
      holderName: ['/Payment/CreditCard/Holder', '/Holder'],
      'expiration:MM/YYYY': ['/Payment/CreditCard/ExpirationDate', '/ExpirationDate'],
      cvv: ['/Payment/CreditCard/SecurityCode', '/SecurityCode'],
      tokenNumber: ['/Payment/CreditCard/CardNumber'],
      'tokenExpiration:MM/YYYY': ['/Payment/CreditCard/ExpirationDate'],
      cryptogram: ['/Payment/CreditCard/Cryptogram'],
    },
    identifiers: ['/Payment/IssuerTransactionId', '/List/*/PaymentId'],
  }
  const tokenService = {
    url,
    callers: ['network-token'],
    caFile,
    routes: [
      'POST /v1/network-tokens',
      'GET /v1/network-tokens?reference={id}',
      'GET /v1/network-tokens/{id}',
      'POST /v1/network-tokens/{id}/cryptograms',
    ],
    fields: { cardNumber: ['/card/number'], holderName: ['/card/holder'], cvv: ['/card/securityCode'] },
    identifiers: ['/id', '/reference'],
    captures: {
      tokenNumber: '/token/number',
      tokenExpirationMonth: '/token/expirationMonth',
      tokenExpirationYear: '/token/expirationYear',
      cryptogram: '/cryptogram',
    },
  }
  const credentials = { merchantid: 'merchantId', merchantkey: 'merchantKey' }
  /** Two addresses of one company, which knows the seller by one account. */
  const withAccounts = {
    ...acquirer,
    credentials,
    routes: [...acquirer.routes, 'PUT /1/sales/{id}/capture?amount={id}'],
  }
  const queries = {
    ...acquirer,
    credentials,
    accountsOf: 'with-accounts',
    routes: ['GET /1/sales/{id}', 'GET /1/sales?merchantOrderId={id}'],
    fields: {},
  }
  const closed = { ...acquirer, url: 'https://localhost:1' }
  return {
    acquirer,
    'token-service': tokenService,
    closed,
    'with-accounts': withAccounts,
    queries,
    prefixed: { ...acquirer, url: `${url}/voucher-issuer/` },
  }
}
