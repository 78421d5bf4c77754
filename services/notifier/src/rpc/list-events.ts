import { eventTypesOf } from '@cofre/api/events'
import type { ListEventsRequest, ListEventsResponse } from '@cofre/proto/notifier/v1/notifier'
import { eventMessage } from '../deliveries/event-message'
import { findEvents } from '../deliveries/event-store'
import type { Deps } from '../deps'
import { checkPage, dateOf } from './list-deliveries'

export async function listEvents({ pool }: Deps, request: ListEventsRequest): Promise<ListEventsResponse> {
  const { sellerId, eventTypes, resourceId: id, createdFrom, createdTo, page, size, after, place } = request
  checkPage(request)
  const { entries, ...end } = await findEvents(pool, {
    sellerId,
    types: eventTypes.length > 0 ? eventTypesOf(eventTypes) : undefined,
    resource: id === undefined ? undefined : { id },
    createdFrom: dateOf(createdFrom),
    createdTo: dateOf(createdTo),
    page,
    size,
    after,
    place,
  })
  return { events: entries.map(eventMessage), ...end }
}
