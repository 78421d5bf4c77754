import { certificateFiles } from './certificates'
import { writePrivately, type RunFolder } from './run-folder'

/** Whom the vault may send card data to, by which calls, and where in them which field may stand. */
export function writePartners(run: RunFolder, acquirerUrl: string): void {
  const inCard = (field: string) => [`/Payment/CreditCard/${field}`, `/${field}`]
  const acquirer = {
    url: acquirerUrl,
    caFile: certificateFiles(run, 'vault').caFile,
    routes: ['POST /1/sales', 'POST /1/zeroauth'],
    fields: {
      cardNumber: inCard('CardNumber'),
      holderName: inCard('Holder'),
      'expiration:MM/YYYY': inCard('ExpirationDate'),
      cvv: inCard('SecurityCode'),
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
  writePrivately(run.partners, `${JSON.stringify({ acquirer }, null, 2)}\n`)
}
