export type TicketCard = {
  readonly cardId: string
  readonly product: 'MEAL' | 'FOOD'
  readonly lastFour: string
  /** The card has no balance, although its last digit means approval. */
  readonly empty?: true
}

export type Person = { readonly email: string; readonly name: string; readonly cards: readonly TicketCard[] }

const PASSWORD = 'sandbox'

/** Carla has a card for each outcome that the other people's cards do not show. */
export const PEOPLE: readonly Person[] = [
  { email: 'ana@example.com', name: 'Ana Souza', cards: [meal('1234'), meal('4321')] },
  {
    email: 'bruno@example.com',
    name: 'Bruno Lima',
    cards: [{ cardId: 'food-1110', product: 'FOOD', lastFour: '1110' }],
  },
  {
    email: 'carla@example.com',
    name: 'Carla Dias',
    cards: [
      ...['5552', '5553', '5555', '5556', '5557', '5558', '5559'].map(meal),
      { ...meal('5550'), empty: true },
    ],
  },
]

export function findPerson(email: string): Person | undefined {
  return PEOPLE.find((person) => person.email === email.trim().toLowerCase())
}

export function personSigningIn(email: string, password: string): Person | undefined {
  return password === PASSWORD ? findPerson(email) : undefined
}

export function findCard({ cards }: Person, cardId: string): TicketCard | undefined {
  return cards.find((card) => card.cardId === cardId)
}

function meal(lastFour: string): TicketCard {
  return { cardId: `meal-${lastFour}`, product: 'MEAL', lastFour }
}
