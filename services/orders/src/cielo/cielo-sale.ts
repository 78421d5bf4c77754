import { domainToASCII } from 'node:url'
import { cutTo } from '@cofre/platform/partner-text'
import type { CardHolder, DataOnly, PayerAuthentication, Sale, SentCard } from '../acquirer/acquirer'
import { isAuthenticated } from '../charge/authentication'
import { transliterate } from 'transliteration'
import { BRANDS } from './card-brand'
import { holderOnCard } from './holder-name'
import { needsCryptogram, storedCredentialMembers } from './stored-credential'

const EMAIL_MAX = 255

/** The body of `POST /1/sales`. The vault fills the placeholders. Undefined members are left out. */
export function saleBody(sale: Omit<Sale, 'reference'>): object {
  const { amount, installments, capture, dataOnly, authentication, customer, orderNumber } = sale
  const { CardOnFile, ...marks } = storedCredentialMembers(sale)
  return {
    MerchantOrderId: orderNumber,
    Customer: customerBody(customer),
    Payment: {
      Type: 'CreditCard',
      Amount: amount,
      Currency: 'BRL',
      Country: 'BRA',
      Installments: installments,
      Interest: 'ByMerchant',
      Capture: capture,
      SoftDescriptor: descriptorOnStatement(sale.softDescriptor) || undefined,
      Authenticate: authentication !== undefined && isAuthenticated(authentication),
      CreditCard: { ...cardBody(sale, customer.name), CardOnFile },
      ...marks,
      ExternalAuthentication: authentication
        ? authenticationBody(authentication)
        : dataOnly && dataOnlyBody(dataOnly),
    },
  }
}

const DESCRIPTOR_MAX = 13

/** The acquirer takes 13 characters without marks and accents. */
function descriptorOnStatement(text: string): string {
  const plain = transliterate(text.normalize('NFKC')).replace(/[^A-Za-z0-9 ]+/g, ' ')
  return plain.replace(/ +/g, ' ').trim().slice(0, DESCRIPTOR_MAX).trim()
}

/** The flat body of `POST /1/zeroauth`. It takes no cryptogram: for a network token, its card is verified. */
export function verificationBody(sent: KnownCard): object {
  const { card } = sent
  const source = card.source === 'NETWORK_TOKEN' ? 'CARD' : card.source
  const { CardOnFile } = storedCredentialMembers(sent)
  return { CardType: 'CreditCard', ...cardBody({ ...sent, card: { ...card, source } }, ''), CardOnFile }
}

type KnownCard = Omit<SentCard, 'reference'>

function cardBody(sent: KnownCard, payer: string): object {
  const { card } = sent
  return {
    ...numberBody(sent),
    Holder: holderOnCard(card.holderName, payer),
    SaveCard: false,
    Brand: BRANDS[card.brand]?.name,
  }
}

/** A network token is sent with its own expiration and its cryptogram, and without a CVV. */
function numberBody(sent: KnownCard): object {
  if (sent.card.source !== 'NETWORK_TOKEN') {
    return {
      CardNumber: '{{cardNumber}}',
      ExpirationDate: '{{expiration:MM/YYYY}}',
      SecurityCode: '{{cvv}}',
    }
  }
  return {
    CardNumber: '{{tokenNumber}}',
    ExpirationDate: '{{tokenExpiration:MM/YYYY}}',
    Cryptogram: needsCryptogram(sent) ? '{{cryptogram}}' : undefined,
  }
}

function customerBody({ name, document, email, birthdate, address }: CardHolder): object {
  return {
    Name: cutTo(name, 255),
    Identity: document,
    IdentityType: document.length > 11 ? 'CNPJ' : 'CPF',
    Email: plainEmail(email),
    Birthdate: birthdate || undefined,
    Address: address?.street
      ? {
          Street: cutTo(address.street, 255),
          Number: cutTo(address.number, 15),
          Complement: cutTo(address.lineTwo, 50) || undefined,
          ZipCode: cutTo(address.zipCode, 9),
          City: cutTo(address.city, 50),
          State: cutTo(address.state, 2),
          Country: 'BRA',
        }
      : undefined,
  }
}

/**
 * The address in ASCII: a domain of another script has such a form, a name before the `@` has none. Undefined then, as
 * without an address: a payment must not fail for an optional field.
 */
function plainEmail(email: string): string | undefined {
  const at = email.lastIndexOf('@') + 1
  const plain = `${email.slice(0, at)}${domainToASCII(email.slice(at))}`
  return email !== '' && plain.length <= EMAIL_MAX && /^[!-~]+$/.test(plain) ? plain : undefined
}

/** Version 2 has no Xid. */
function authenticationBody({ eci, version, authenticationValue, referenceId }: PayerAuthentication): object {
  return { Eci: eci, Version: version, Cavv: authenticationValue, ReferenceID: referenceId }
}

/** 3-D Secure Data Only: authenticates nobody and shifts no liability. */
function dataOnlyBody({ eci, version, referenceId, authenticationValue }: DataOnly): object {
  return {
    Eci: eci,
    Version: version,
    ReferenceID: referenceId,
    Cavv: authenticationValue,
    DataOnly: true,
  }
}
