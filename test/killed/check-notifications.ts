import type { BookedCharge } from './books'
import type { DoomedSystem } from './doomed-system'

type Message = { body: string; headers: Record<string, string> }
type Heard = { webhookId: string; body: string; sequence: number; status: string }

/** Each charge told of each of its events, in order, each message again only as the same message. */
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
  const order = messages.map(({ sequence }) => sequence).join(' ')
  let last: Heard | undefined
  for (const message of messages) {
    if (last && message.sequence === last.sequence) {
      const same = message.webhookId === last.webhookId && message.body === last.body
      if (!same) return `event ${message.sequence} was told in two ways`
    } else if (message.sequence !== (last?.sequence ?? 0) + 1) return `its events came as ${order}`
    last = message
  }
  if ((last?.sequence ?? 0) !== charge.sequence) return `${charge.sequence} events, heard: ${order}`
  if (last && last.status !== charge.status) return `the last message said ${last.status}`
  return undefined
}
