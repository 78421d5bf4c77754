import type { EventType } from '@cofre/api/events'
import { createSchemaBook } from './openapi-schemas'
import { eventExamples } from './event-examples'

/** A sample of an event about a resource that does not exist. `path`: below the base URL. */
export type SampleEvent = { kind: string; id: string; path: string; data: object }

const NO_TOKEN = '0'.repeat(64)
/** Where the links of the examples begin. */
const API = 'https://pay.example.com/api/'
const NAMES_SOMETHING = /^(id|tid|txid|token)$|(Id|Token|Reference|Number)$/

/**
 * Returns the example of the reference with ids that no resource has: 0 and TEST. A receiver that takes it for real
 * finds no resource, and no order of its own.
 */
export function sampleEvent(type: EventType): SampleEvent {
  const example = eventExamples(createSchemaBook(), '').find((each) => each.type === type)
  if (!example) throw new Error('an event without an example')
  const { resource, data } = example.body as {
    resource: { kind: string; id: number | string; url: string }
    data: object
  }
  const id = String(blank(resource.id, 'id'))
  const path = resource.url.replace(/[^/]+$/, id)
  return { kind: resource.kind, id, path, data: blank(data, '') as object }
}

function blank(value: unknown, name: string): unknown {
  if (Array.isArray(value)) return value.map((each) => blank(each, name))
  if (typeof value === 'object' && value !== null) {
    const entries = name === 'metadata' ? [] : Object.entries(value)
    return Object.fromEntries(entries.map(([each, held]) => [each, blank(held, each)]))
  }
  if (typeof value === 'string' && value.startsWith(API)) return blankUrl(value)
  if (!NAMES_SOMETHING.test(name)) return value
  if (typeof value === 'number') return 0
  if (typeof value !== 'string') return value
  return value.length === NO_TOKEN.length ? NO_TOKEN : 'TEST'
}

/** A link to a resource that does not exist. */
function blankUrl(url: string): string {
  return url.replace(/\/\d+(?=\/|$)/g, '/0').replace(/(requestId=).*$/, '$1TEST')
}
