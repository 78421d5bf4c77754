import type { BookedCharge } from '../books'
import type { DoomedSystem } from '../doomed-system'
import { onceInOrder } from './once-in-order'

type Message = { body: string; headers: Record<string, string> }
type Heard = { webhookId: string; body: string; sequence: number; status: string }

/** Checks that each event of each charge was notified, in order, and that repeats are the same message. */
export async function checkNotifications(
  system: DoomedSystem,
  inboxes: readonly string[],
  charges: readonly BookedCharge[],
): Promise<string[]> {
  const heard = new Map<number, Heard[]>()
  for (const name of inboxes) {
    const response = await fetch(`${system.ready.sandboxUrl}/inbox/${name}`)
    for (const { body, headers } of (await response.json()) as Message[]) {
      const { sequence, resource, data } = JSON.parse(body)
      // The disputes of a charge are notified there too, under ids of their own.
      if (resource.kind !== 'charge') continue
      const webhookId = headers['webhook-id'] ?? ''
      const message = { webhookId, body, sequence, status: data.status }
      heard.set(resource.id, [...(heard.get(resource.id) ?? []), message])
    }
  }
  const telling = charges.filter(({ notificationUrl }) => notificationUrl !== null)
  return telling.flatMap((charge) => {
    const fault = faultOf(charge, heard.get(charge.id) ?? [])
    return fault ? [`charge ${charge.id} (${charge.status}): ${fault}`] : []
  })
}

function faultOf(charge: BookedCharge, messages: readonly Heard[]): string | undefined {
  let events: Heard[]
  try {
    events = onceInOrder(messages)
  } catch (error) {
    return (error as Error).message
  }
  const last = events.at(-1)
  if (events.length !== charge.sequence) return `${charge.sequence} events, heard: ${events.length}`
  if (last && last.status !== charge.status) return `the last message said ${last.status}`
  return undefined
}
