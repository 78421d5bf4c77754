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
    renewal: { cardNumber: '/Payment/NewCard/CardNumber', expiration: '/Payment/NewCard/ExpirationDate' },
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
  const closed = { ...acquirer, url: 'https://127.0.0.1:1' }
  return {
    acquirer,
    'token-service': tokenService,
    closed,
    'with-accounts': withAccounts,
    queries,
    ...oauthPartners({ url, caFile, callers: ['orders'] }),
    prefixed: { ...acquirer, url: `${url}/voucher-issuer/` },
    ...voucherPartners({ url, caFile, callers: ['vouchers'] }),
  }
}

/** Partners that want access tokens and client certificates. */
function oauthPartners(base: { url: string; caFile: string; callers: string[] }) {
  const disputes = {
    ...base,
    url: `${base.url}/api`,
    routes: ['GET /cases/{id}', 'POST /cases', 'PATCH /cases/{id}', 'DELETE /cases/{id}/{id}'],
    oauth: { url: '/oauth/token', clientAuthentication: 'body' },
    clientCertificate: true,
    files: { routes: ['PUT /refuse'], field: 'file', encoding: 'multipart', maxBytes: 1_000_000 },
    fields: {},
  }
  const pix = {
    ...disputes,
    url: base.url,
    oauth: { url: `${base.url}/oauth/token`, clientAuthentication: 'basic', scope: 'cob.read cob.write' },
    routes: ['GET /pix?inicio={time}&fim={time}'],
    files: { ...disputes.files, encoding: 'base64' },
  }
  const tokensElsewhere = { ...disputes, oauth: { ...disputes.oauth, url: 'https://127.0.0.1:1/token' } }
  return { disputes, 'pix-bank': pix, 'tokens-elsewhere': tokensElsewhere }
}

/** An issuer that takes card numbers, one that takes access tokens, and the identity provider that gives those. */
function voucherPartners(base: { url: string; caFile: string; callers: string[] }) {
  const issuer = {
    ...base,
    routes: ['POST /v1/payments', 'POST /v1/payments/{id}/cancel'],
    fields: {
      cardNumber: ['/card/number'],
      holderName: ['/card/holder'],
      'expiration:MM/YYYY': ['/card/expiration'],
      'expiration:YYYYMM': ['/card/validity'],
      cvv: ['/card/securityCode'],
    },
  }
  const signedIn = {
    ...base,
    routes: ['GET /v2/cards', 'POST /v2/transactions', 'GET /v2/transactions?order_ref={id}'],
    headers: ['authorization', 'requestid'],
    bearer: true,
    fields: {},
  }
  const identity = {
    ...base,
    routes: [
      'POST /connect/token',
      'GET /connect/jwks',
      'POST /connect/revocation',
      'GET /.well-known/openid-configuration',
    ],
    encoding: 'form',
    bodyCredentials: { '/client_secret': 'clientSecret' },
    fields: { authorizationCode: ['/code'], refreshToken: ['/refresh_token', '/token'] },
    grants: { accessToken: '/access_token', refreshToken: '/refresh_token' },
    identifiers: ['/id_token', '/keys/*/n'],
  }
  const discovered = {
    ...identity,
    url: `${base.url}/realms/shop`,
    accountsOf: 'identity',
    routes: ['POST {token_endpoint}', 'GET {jwks_uri}', 'POST {revocation_endpoint}'],
  }
  return {
    issuer,
    'signed-in': signedIn,
    identity,
    discovered,
    elsewhere: { ...discovered, url: 'https://127.0.0.1:1' },
  }
}
