import type { Event } from '@cofre/proto/notifier/v1/notifier'
import type { SeenEvent } from './event-store'

export function eventMessage({ webhookId: id, createdAt, ...same }: SeenEvent): Event {
  return { ...same, id, createdAt: createdAt.getTime() }
}
