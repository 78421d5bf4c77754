type Named = { sellerId: number; name: string }

export type Hungry = ReturnType<typeof openHungry>

/** Receivers that have more due than they had room for. */
export function openHungry() {
  const ids = new Set<number>()
  const names = new Set<string>()
  const keyOf = ({ sellerId, name }: Named) => `${sellerId} ${name}`
  return {
    has: (receiverId: number) => ids.has(receiverId),
    isNamed: (receiver: Named) => names.has(keyOf(receiver)),
    add: (receiver: Named & { id: number }) => {
      ids.add(receiver.id)
      names.add(keyOf(receiver))
    },
    remove: (receiver: Named & { id: number }) => {
      ids.delete(receiver.id)
      names.delete(keyOf(receiver))
    },
  }
}
