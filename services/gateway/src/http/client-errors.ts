import { once } from 'node:events'
import { STATUS_CODES, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Problem } from '@cofre/api/problem'
import { newRequestId } from '@cofre/platform/grpc/call-context'
import type { ProblemReason } from '@cofre/platform/reason'
import { PROBLEM_CODES } from './problem-codes'

/** An error of Node's parser. `reason`: its own fixed words, which quote nothing. */
type ClientError = Error & { code?: string; reason?: string }

/** A refusal as it is logged. */
export type Refusal = { requestId: string; status: number; code: ProblemReason; reason: string | undefined }

export type ClientErrorOptions = {
  /** The URL before `/docs`. */
  baseUrl: string
  /** The requests that are not answered yet. */
  running: ReadonlySet<ServerResponse>
  tell: (refusal: Refusal) => void
}

const CODES: Readonly<Record<string, ProblemReason>> = {
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 'BODY_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
}

/**
 * Answers bytes that are no HTTP request with a problem, and closes the connection. Requests that arrived whole before
 * them are answered first: without their answers, a client can't know whether it has charged.
 */
export function answerClientErrors(server: Server, options: ClientErrorOptions): void {
  const refused = new WeakSet<Socket>()
  server.on('clientError', (error: ClientError, socket: Socket) => {
    // The parser fails again with each further byte.
    if (refused.has(socket)) return
    refused.add(socket)
    if (error.code === 'ECONNRESET') {
      socket.destroy()
      return
    }
    void refuseAfterAnswers(socket, error, options)
  })
}

/** A request whose body never ends is the faulty one itself: nobody waits for its answer. */
async function refuseAfterAnswers(
  socket: Socket,
  error: ClientError,
  options: ClientErrorOptions,
): Promise<void> {
  const whole = [...options.running].filter(
    ({ req, headersSent }) => req.socket === socket && (req.complete || headersSent),
  )
  await Promise.all(whole.map((res) => once(res, 'close')))
  refuse(socket, error, options)
}

function refuse(socket: Socket, error: ClientError, { baseUrl, tell }: ClientErrorOptions): void {
  const code = CODES[error.code ?? ''] ?? 'MALFORMED_REQUEST'
  const { status, title, retryable = false } = PROBLEM_CODES[code]
  const requestId = newRequestId()
  tell({ requestId, status, code, reason: error.reason })
  // The last answer may have closed the connection.
  if (!socket.writable) {
    socket.destroySoon()
    return
  }
  const problem: Problem = {
    type: `${baseUrl}/docs/errors#${code}`,
    title,
    status,
    detail: detailOf(code, error),
    instance: '/',
    code,
    requestId,
    retryable,
  }
  const body = JSON.stringify(problem)
  socket.write(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/problem+json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      'Cache-Control: no-store',
      'X-Content-Type-Options: nosniff',
      `Date: ${new Date().toUTCString()}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  socket.destroySoon()
}

function detailOf(code: ProblemReason, { reason }: ClientError): string {
  if (code !== 'MALFORMED_REQUEST') return PROBLEM_CODES[code].meaning
  const why = reason === undefined ? '' : ` (${reason})`
  return `The connection carried bytes that are no HTTP request${why}. Behind a body, they mean that its Content-Length is too small.`
}
