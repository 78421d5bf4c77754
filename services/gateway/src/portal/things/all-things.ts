import type { Thing } from '../desk/thing'
import { charges } from './charges'
import { customers } from './customers'
import { deliveries } from './deliveries'
import { disputes } from './disputes'
import { events } from './events'
import { endpoints } from './endpoints'
import { invoices } from './invoices'
import { movements } from './movements'
import { networkTokens } from './network-tokens'
import { products } from './products'
import { receipts } from './receipts'
import { recurring } from './recurring'
import { requests } from './requests'
import { vouchers } from './vouchers'

/** What the portal shows, in the order of its navigation. */
export const THINGS: readonly Thing[] = [
  charges,
  invoices,
  recurring,
  customers,
  products,
  receipts,
  disputes,
  vouchers,
  movements,
  networkTokens,
  endpoints,
  events,
  deliveries,
  requests,
]
