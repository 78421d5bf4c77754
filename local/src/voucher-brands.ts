import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const OURS = join(__dirname, '../../services/vouchers/src/brands/voucher-brands.json')

/** Our client at the sandbox's identity provider, by the name of the sellers' accounts there. */
export const IDENTITY_CLIENT = 'cofre-demo'

/** Returns the address to which the identity provider sends a cardholder's browser back. */
export function callbackOf(baseUrl: string): string {
  return `${baseUrl}/partners/ticket/callback`
}

/** Returns the service's own brands with the one whose identity provider the sandbox plays, as JSON. */
export function voucherBrands(sandboxUrl: string): string {
  const ours = JSON.parse(readFileSync(OURS, 'utf8')) as object
  // The endpoints stand in the provider's discovery document.
  const identity = {
    partner: 'ticket-identity',
    issuer: `${sandboxUrl}/identity`,
    scope: 'edg-xp-mealdelivery-api',
    acrValues: 'tenant:br-ben',
    uiLocales: 'pt-BR',
  }
  const ticket = {
    flow: 'REDIRECT',
    dialect: 'ticket',
    partner: 'ticket-merchant',
    holderPartner: 'ticket',
    cardTypes: ['MEAL', 'FOOD'],
    identity,
  }
  return JSON.stringify({ ...ours, TICKET: ticket })
}
