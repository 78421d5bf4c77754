import { DomainError, notFound } from '@cofre/platform/errors'
import {
  Listener,
  SendTestEventResponse,
  type CreateListenerRequest,
  type ListenerEvent,
  type ListenerRequest,
  type ReadListenerRequest,
  type SendTestEventRequest,
} from '@cofre/proto/notifier/v1/notifier'
import type { Marks } from './marks'

function noSuchEndpoint(): DomainError {
  const errors = [{ pointer: '#/endpointId', code: 'UNKNOWN', detail: 'does not exist for this seller' }]
  const message = 'The request names an endpoint that does not exist.'
  return new DomainError('failed_precondition', 'REFERENCE_NOT_FOUND', message, { errors })
}

type Kept = Listener & { sellerId: number; kept: ListenerEvent[] }

/** Listeners as the notifier keeps them, in memory, and the requests for samples. */
export function createListeners(marks: Marks, hasEndpoint: (sellerId: number, id: number) => boolean) {
  const listeners: Kept[] = []
  const samples: SendTestEventRequest[] = []
  const find = ({ sellerId, listenerId }: ListenerRequest) => {
    const found = listeners.find((each) => each.id === listenerId && each.sellerId === sellerId)
    if (!found) throw notFound('There is no such listener.')
    return found
  }
  const create = ({ sellerId, events }: CreateListenerRequest) => {
    const id = listeners.length + 1
    const listener = { id, sellerId, events, secret: `whsec_${id}`, createdAt: id, kept: [] }
    listeners.push(listener)
    return listener
  }
  const handlers = {
    createListener: async (request: CreateListenerRequest) =>
      marks.once(request.sellerId, Listener, () => create(request)),
    readListener: async ({ after, size, waitMs: _waitMs, ...request }: ReadListenerRequest) => {
      const events = find(request).kept.filter(({ number }) => number > after)
      return { events: events.slice(0, size) }
    },
    deleteListener: async (request: ListenerRequest) => {
      listeners.splice(listeners.indexOf(find(request)), 1)
      return {}
    },
    sendTestEvent: async (request: SendTestEventRequest) =>
      marks.once(request.sellerId, SendTestEventResponse, () => {
        const { sellerId, endpointId } = request
        if (endpointId !== undefined && !hasEndpoint(sellerId, endpointId)) throw noSuchEndpoint()
        samples.push(request)
        return { webhookId: `evt_test_${samples.length}`, receivers: 1 }
      }),
  }
  return { handlers, listeners, samples }
}
