import type { IHeaders, Message } from 'kafkajs'
import { UnreadableEvent, type LogEvent } from './event-log'

/** An event as a Kafka record: the key decides the partition, the value is the message, the rest are headers. */
export function toMessage({ id, type, key, sellerId, traceparent, value }: LogEvent): Message {
  const headers = { 'event-id': id, 'event-type': type, 'seller-id': String(sellerId), traceparent }
  return { key, value, headers }
}

/** Throws `UnreadableEvent` when the record is not one that `toMessage` made. */
export function fromMessage(message: {
  key: Buffer | null
  value: Buffer | null
  headers?: IHeaders | undefined
}): LogEvent {
  const header = (name: string): string => {
    const found = message.headers?.[name]
    if (Buffer.isBuffer(found) && found.length > 0) return found.toString()
    throw new UnreadableEvent(`the header ${name} is missing`)
  }
  const sellerId = Number(header('seller-id'))
  if (!Number.isSafeInteger(sellerId)) throw new UnreadableEvent('the header seller-id is not a number')
  if (!message.key || !message.value) throw new UnreadableEvent('the record has no key or no value')
  return {
    id: header('event-id'),
    type: header('event-type'),
    key: message.key.toString(),
    sellerId,
    traceparent: header('traceparent'),
    value: message.value.toString(),
  }
}
