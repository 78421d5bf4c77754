import {
  type CustomerAddress,
  type CustomerPhone,
  type Customer as Message,
  type CustomerFields as FieldsMessage,
} from '@cofre/proto/invoices/v1/customers'
import { searchKey, wordsKey } from '../search-key'
import type { Address, Customer, CustomerFields, Phone } from './customer'

export function fieldsOf({
  name,
  document,
  birthdate,
  phone,
  email,
  address,
}: FieldsMessage): CustomerFields {
  return {
    name,
    nameKey: wordsKey(name),
    document,
    birthdate: birthdate || null,
    phone: phone ? phoneOf(phone) : null,
    email: email || null,
    emailKey: email ? searchKey(email) : null,
    address: address ? addressOf(address) : null,
  }
}

function phoneOf({ countryCode, areaCode, number }: CustomerPhone): Phone {
  return { countryCode: countryCode ?? null, areaCode: areaCode ?? null, number: number ?? null }
}

function addressOf({
  street,
  streetNumber,
  lineTwo,
  neighborhood,
  state,
  zipCode,
  city,
}: CustomerAddress): Address {
  return {
    street: street || null,
    streetNumber: streetNumber || null,
    lineTwo: lineTwo || null,
    neighborhood: neighborhood || null,
    state: state || null,
    zipCode: zipCode || null,
    city: city || null,
  }
}

export function toMessage(customer: Customer): Message {
  const { id, sellerId, createdAt, updatedAt, name, document, birthdate, phone, email, address } = customer
  const fields: FieldsMessage = {
    name,
    document,
    birthdate: birthdate ?? '',
    phone: phone ? phoneMessage(phone) : undefined,
    email: email ?? '',
    address: address ? addressMessage(address) : undefined,
  }
  return { id, sellerId, fields, createdAt, updatedAt }
}

function phoneMessage({ countryCode, areaCode, number }: Phone): CustomerPhone {
  return {
    countryCode: countryCode ?? undefined,
    areaCode: areaCode ?? undefined,
    number: number ?? undefined,
  }
}

function addressMessage(address: Address): CustomerAddress {
  return {
    street: address.street ?? '',
    streetNumber: address.streetNumber ?? '',
    lineTwo: address.lineTwo ?? '',
    neighborhood: address.neighborhood ?? '',
    state: address.state ?? '',
    zipCode: address.zipCode ?? '',
    city: address.city ?? '',
  }
}
