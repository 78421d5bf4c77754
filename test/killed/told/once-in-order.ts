/** A message about a resource. `sequence` counts its events from 1. */
type Message = { webhookId: string; body: string; sequence: number }

/**
 * Returns the messages about one resource, in the order of their arrival, without repeats. A sender that could not
 * store that it sent them repeats the same messages, from one of them up to the last. Throws when they break that.
 */
export function onceInOrder<M extends Message>(messages: readonly M[]): M[] {
  const events: M[] = []
  let before = 0
  for (const message of messages) {
    const { sequence } = message
    if (sequence < 1 || sequence > before + 1) throw new Error(`its events came as ${orderOf(messages)}`)
    const known = events[sequence - 1]
    if (!known) events.push(message)
    else if (known.webhookId !== message.webhookId || known.body !== message.body)
      throw new Error(`event ${sequence} was told in two ways`)
    before = sequence
  }
  if (before < events.length) throw new Error(`its events came as ${orderOf(messages)}`)
  return events
}

function orderOf(messages: readonly Message[]): string {
  return messages.map(({ sequence }) => sequence).join(' ')
}
