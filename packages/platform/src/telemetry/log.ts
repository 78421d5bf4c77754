import pino, { type DestinationStream, type Logger, type LoggerOptions } from 'pino'
import { currentCall } from '../grpc/call-context'
import { maskCardNumbersIn } from '../card/card-number'
import { onlySome } from './bounded-log'

export type { Logger } from 'pino'

// A second net only: the fields of a line are chosen by hand, by name, and never hold a body or a header.
const REDACTED = ['cardNumber', 'cvv', 'encryptedCard', 'authorization', 'password', 'secret', 'merchantKey']

const BUFFERED_BYTES = 8 * 1024
const FLUSH_EVERY_MS = 100

/**
 * JSON lines on standard output; each line of a call carries its request and trace id. What can't be reached fails for
 * every call that needs it: of lines with an error and the same words, the first are written, and then one a second.
 */
export function createLog(service: string, level: string, destination?: DestinationStream): Logger {
  const bounds = new Map<string, ReturnType<typeof onlySome>>()
  const options: LoggerOptions = {
    name: service,
    level,
    redact: REDACTED.flatMap((name) => [name, `*.${name}`]),
    serializers: { err: describeError },
    mixin: () => {
      const call = currentCall()
      return call ? { requestId: call.requestId, traceId: call.traceparent.split('-')[1] } : {}
    },
    hooks: {
      logMethod(line, write) {
        const [facts, words] = line as [unknown, unknown]
        if (!hasError(facts) || typeof words !== 'string') return write.apply(this, line)
        const some = bounds.get(words) ?? onlySome()
        bounds.set(words, some)
        some((omitted) => write.apply(this, [{ ...facts, ...omitted }, words]))
      },
    },
  }
  return pino(options, destination ?? standardOutput())
}

/** Writes many lines at once. pino writes the rest when the process exits; a kill may lose the last 100 ms. */
function standardOutput(): DestinationStream {
  const output = pino.destination({ sync: false, minLength: BUFFERED_BYTES })
  setInterval(() => output.flush(), FLUSH_EVERY_MS).unref()
  return output
}

function hasError(facts: unknown): facts is { err: unknown } {
  return typeof facts === 'object' && facts !== null && 'err' in facts
}

/** Leaves out `detail`, in which database errors quote the refused row. A message may still quote one value. */
function describeError(error: unknown): object {
  if (typeof error !== 'object' || error === null) return { type: typeof error }
  const { name, message, stack, code } = error as {
    name?: string
    message?: string
    stack?: string
    code?: unknown
  }
  return {
    type: name,
    message: message && maskCardNumbersIn(message),
    stack: stack && maskCardNumbersIn(stack),
    ...(typeof code === 'string' ? { code } : {}),
  }
}
