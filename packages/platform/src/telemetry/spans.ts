import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
  type Attributes,
  type Span,
  type SpanContext,
} from '@opentelemetry/api'
import { currentCall, newTraceparent, runCall } from '../grpc/call-context'

export { SpanKind, type Span } from '@opentelemetry/api'

const SAMPLED = /-[0-9a-f][13579bdf]$/

/** True when spans of this trace are kept. A request that is not sampled costs no more than this check. */
export function isSampled(traceparent: string): boolean {
  return SAMPLED.test(traceparent)
}

let sampledShare = 0

/** Sets the share of the incoming requests that is traced; at first none. */
export function sampleTraces(share: number): void {
  sampledShare = share
}

/**
 * Starts the trace of an incoming request, below its caller's when it has one. We draw whether it is traced, whatever
 * the caller asks for. Without a span, it is not traced.
 */
export function startTrace(callers: string | undefined, name: string): { span?: Span; traceparent: string } {
  if (sampledShare === 0 || Math.random() >= sampledShare) {
    return { traceparent: callers ? `${callers.slice(0, -2)}00` : newTraceparent() }
  }
  return startSpan(callers, name, SpanKind.SERVER)
}

/** Starts a span below the span that `traceparent` names, or the first of a trace. The code that starts it ends it. */
export function startSpan(
  traceparent: string | undefined,
  name: string,
  kind: SpanKind,
  attributes: Attributes = {},
): { span: Span; traceparent: string } {
  const parent = traceparent ? trace.setSpanContext(ROOT_CONTEXT, contextOf(traceparent)) : ROOT_CONTEXT
  const span = trace.getTracer('cofre').startSpan(name, { kind, attributes }, parent)
  return { span, traceparent: traceparentOf(span.spanContext()) }
}

/**
 * Runs `work` as a span below the current one, when the request is sampled. Names and attributes are chosen by hand:
 * ids and outcomes, never the content of a message. Of an error, the span keeps only the name.
 */
export async function withSpan<T>(
  name: string,
  kind: SpanKind,
  attributes: Attributes,
  work: () => Promise<T>,
): Promise<T> {
  const call = currentCall()
  if (!call || !isSampled(call.traceparent)) return work()
  const { span, traceparent } = startSpan(call.traceparent, name, kind, attributes)
  try {
    return await runCall({ ...call, traceparent }, work)
  } catch (error) {
    failSpan(span, error)
    throw error
  } finally {
    span.end()
  }
}

export function failSpan(span: Span, error: unknown): void {
  const { name, reason } = (error ?? {}) as { name?: unknown; reason?: unknown }
  span.setAttribute('error.type', typeof reason === 'string' ? reason : String(name))
  span.setStatus({ code: SpanStatusCode.ERROR })
}

function contextOf(traceparent: string): SpanContext {
  const [, traceId = '', spanId = '', flags = '00'] = traceparent.split('-')
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED, isRemote: true }
}

function traceparentOf({ traceId, spanId, traceFlags }: SpanContext): string {
  return `00-${traceId}-${spanId}-0${traceFlags & TraceFlags.SAMPLED}`
}
