import { certificateFiles } from './certificates'
import { writePrivately, type RunFolder } from './run-folder'

/** Whom the vault may send card data to, by which calls, and where in them which field may stand. */
export function writePartners(run: RunFolder, urls: { acquirer: string; tokenService: string }): void {
  const { caFile } = certificateFiles(run, 'vault')
  const inCard = (field: string) => [`/Payment/CreditCard/${field}`, `/${field}`]
  const acquirer = {
    url: urls.acquirer,
    callers: ['orders'],
    caFile,
    routes: ['POST /1/sales', 'POST /1/zeroauth'],
    fields: {
      cardNumber: inCard('CardNumber'),
      holderName: inCard('Holder'),
      'expiration:MM/YYYY': inCard('ExpirationDate'),
      cvv: inCard('SecurityCode'),
      tokenNumber: ['/Payment/CreditCard/CardNumber'],
      'tokenExpiration:MM/YYYY': ['/Payment/CreditCard/ExpirationDate'],
      cryptogram: ['/Payment/CreditCard/Cryptogram'],
    },
    // The acquirer's numbers and ours, long enough to be taken for a card's.
    identifiers: [
      '/MerchantOrderId',
      '/Payment/PaymentId',
      '/Payment/Tid',
      '/Payment/ProofOfSale',
      '/Payment/IssuerTransactionId',
    ],
  }
  const partners = { acquirer, 'token-service': tokenService(urls.tokenService, caFile) }
  writePrivately(run.partners, `${JSON.stringify(partners, null, 2)}\n`)
}

/** Tells numbers, which the vault keeps, and cryptograms, which it seals. */
function tokenService(url: string, caFile: string) {
  const tokens = '/v1/network-tokens'
  return {
    url,
    callers: ['network-token'],
    caFile,
    routes: [
      `POST ${tokens}`,
      `GET ${tokens}?reference={id}`,
      `GET ${tokens}/{id}`,
      `POST ${tokens}/{id}/cryptograms`,
      `POST ${tokens}/{id}/deactivate`,
    ],
    fields: { cardNumber: ['/card/number'], holderName: ['/card/holder'], cvv: ['/card/securityCode'] },
    // Ids may hold as many digits as a card's number.
    identifiers: ['/id', '/reference'],
    captures: {
      tokenNumber: '/token/number',
      tokenExpirationMonth: '/token/expirationMonth',
      tokenExpirationYear: '/token/expirationYear',
      cryptogram: '/cryptogram',
    },
  }
}
