import { AUDIT } from './portuguese-audit'
import { DEEDS } from './portuguese-deeds'
import { BOOKS } from './portuguese-books'
import { CUSTOMERS } from './portuguese-customers'
import { CYCLES } from './portuguese-cycles'
import { DEVELOPERS } from './portuguese-developers'
import { DRAFTS } from './portuguese-drafts'
import { LETTERS } from './portuguese-letters'
import { LINKS } from './portuguese-links'
import { FRAME } from './portuguese-frame'
import { HOME } from './portuguese-home'
import { NAMES } from './portuguese-names'
import { NETWORK_TOKENS } from './portuguese-network-tokens'
import { OWED } from './portuguese-owed'
import { SUPPORT } from './portuguese-support'
import { SHOP } from './portuguese-shop'

/** Every text of the portal's own, in Portuguese by its English. */
export const PORTUGUESE = {
  ...NAMES,
  ...DEEDS,
  ...AUDIT,
  ...FRAME,
  ...DEVELOPERS,
  ...CUSTOMERS,
  ...LINKS,
  ...CYCLES,
  ...DRAFTS,
  ...HOME,
  ...NETWORK_TOKENS,
  ...BOOKS,
  ...SUPPORT,
  ...SHOP,
  ...OWED,
  ...LETTERS,
}

/** A text of the portal's own, in English. One without a translation does not compile. */
export type Word = keyof typeof PORTUGUESE
