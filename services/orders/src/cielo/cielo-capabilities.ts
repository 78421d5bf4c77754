import type { Capabilities } from '../acquirer/capabilities'
import { BRANDS } from './card-brand'

/** What an operator may set. */
export type CieloSettings = {
  acquirerTimeoutMs: number
  absenceGraceMs: number
  unsureDeclineMs: number
  captureWindowDays: number
}

const GUID = { pattern: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i, fault: 'must be a GUID' }

export function cieloCapabilities(settings: CieloSettings): Capabilities {
  return {
    brands: BRANDS,
    merchantId: GUID,
    paymentId: GUID,
    // Letters and digits only. Cielo replaces a longer or repeated number with one of its own.
    orderNumberLength: 20,
    timeoutMs: settings.acquirerTimeoutMs,
    pauseMs: 5_000,
    captureWindowDays: settings.captureWindowDays,
    absenceGraceMs: settings.absenceGraceMs,
    unsureDeclineMs: settings.unsureDeclineMs,
    // Three months: the shortest three have 89 days.
    answeredForDays: 89,
  }
}
