import { presentGrant } from './control-routes'
import type { Identity } from './identity'
import { PEOPLE } from './people'

const GRANTS_SHOWN = 12

/** Returns the data about the identity provider for the page. */
export function identityView({ grants }: Identity) {
  const all = grants.list()
  return {
    count: all.length,
    grants: all.slice(0, GRANTS_SHOWN).map(presentGrant),
    people: PEOPLE.map(({ email, cards }) => ({
      email,
      cards: cards.map(({ product, lastFour, empty }) => {
        return `${product.toLowerCase()} ${lastFour}${empty ? ' (no balance)' : ''}`
      }),
    })),
  }
}
