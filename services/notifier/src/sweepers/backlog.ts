type Named = { sellerId: number; name: string }

export type Backlog = ReturnType<typeof openBacklog>

/** Receivers that have more due than they had slots for. */
export function openBacklog() {
  const nameOf = new Map<number, string>()
  const names = new Set<string>()
  const keyOf = ({ sellerId, name }: Named) => `${sellerId} ${name}`
  return {
    has: (receiverId: number) => nameOf.has(receiverId),
    isNamed: (receiver: Named) => names.has(keyOf(receiver)),
    add: (receiver: Named & { id: number }) => {
      nameOf.set(receiver.id, keyOf(receiver))
      names.add(keyOf(receiver))
    },
    remove: (receiverId: number) => {
      names.delete(nameOf.get(receiverId) ?? '')
      nameOf.delete(receiverId)
    },
  }
}
