import type { CardHolder, DataOnly, PayerAuthentication, Sale } from '../acquirer/acquirer'
import { isAuthenticated } from '../charge/authentication'
import { acquirerBrand, marksStoredCards } from './card-brand'
import type { Card } from '../charge/charge'

const HOLDER_MAX = 25

/** The body of `POST /1/sales`. The vault fills the placeholders. Undefined members are left out. */
export function saleBody(sale: Omit<Sale, 'reference'>): object {
  const { card, amount, installments, capture, dataOnly, authentication, customer, orderNumber } = sale
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
      Authenticate: authentication !== undefined && isAuthenticated(authentication),
      CreditCard: cardBody(card, customer.name),
      InitiatedTransactionIndicator: initiator(sale),
      ExternalAuthentication: authentication
        ? authenticationBody(authentication)
        : dataOnly && dataOnlyBody(dataOnly),
    },
  }
}

/** The flat body of `POST /1/zeroauth`. It takes no cryptogram: for a network token, its card is verified. */
export function verificationBody(card: Card): object {
  const source = card.source === 'NETWORK_TOKEN' ? 'CARD' : card.source
  return { CardType: 'CreditCard', ...cardBody({ ...card, source }, '') }
}

function cardBody(card: Card, otherwiseHolder: string): object {
  return {
    ...numberBody(card),
    Holder: plainName(card.holderName) || plainName(otherwiseHolder) || '{{holderName}}',
    SaveCard: false,
    Brand: acquirerBrand(card.brand),
    // Only for a card that is really kept.
    CardOnFile: isStored(card) ? { Usage: 'Used', Reason: 'Unscheduled' } : undefined,
  }
}

/** A network token is sent with its own expiration and its cryptogram, and without a CVV. */
function numberBody({ source }: Card): object {
  if (source !== 'NETWORK_TOKEN') {
    return {
      CardNumber: '{{cardNumber}}',
      ExpirationDate: '{{expiration:MM/YYYY}}',
      SecurityCode: '{{cvv}}',
    }
  }
  return {
    CardNumber: '{{tokenNumber}}',
    ExpirationDate: '{{tokenExpiration:MM/YYYY}}',
    Cryptogram: '{{cryptogram}}',
  }
}

/**
 * Mastercard wants to know who began a payment with a stored card: C1 its holder, M1 the seller. The acquirer's manual
 * then wants a network token without a cryptogram, but only with an IssuerTransactionId, which we do not keep.
 */
function initiator({
  card,
  merchantInitiated,
}: Pick<Sale, 'card' | 'merchantInitiated'>): object | undefined {
  const isToken = merchantInitiated && card.source === 'NETWORK_TOKEN'
  if (card.brand !== 'MASTERCARD' || !(isStored(card) || isToken)) return undefined
  return { Category: merchantInitiated ? 'M1' : 'C1', Subcategory: 'CredentialsOnFile' }
}

function isStored({ source, brand }: Card): boolean {
  return source === 'CARD_TOKEN' && marksStoredCards(brand)
}

function customerBody({ name, document, email, birthdate, address }: CardHolder): object {
  return {
    Name: name.slice(0, 255),
    Identity: document,
    IdentityType: document.length > 11 ? 'CNPJ' : 'CPF',
    Email: email.slice(0, 255) || undefined,
    Birthdate: birthdate || undefined,
    Address: address?.street
      ? {
          Street: address.street.slice(0, 255),
          Number: address.number.slice(0, 15),
          ZipCode: address.zipCode.slice(0, 9),
          City: address.city.slice(0, 50),
          State: address.state.slice(0, 2),
          Country: 'BRA',
        }
      : undefined,
  }
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

/** Letters and spaces only, as on the card: the acquirer refuses accents (error 214) and more than 25 characters. */
export function plainName(name: string): string {
  const letters = name
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .replace(/[^A-Za-z]+/g, ' ')
  return letters.trim().slice(0, HOLDER_MAX).trim()
}
