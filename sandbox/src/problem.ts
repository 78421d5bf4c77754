import type { ErrorRequestHandler, RequestHandler, Response } from 'express'
import { z, type ZodType } from 'zod'

type FieldError = { pointer: string; detail: string }

/** An error of the control API: it names the field and never shows the value. */
export class ControlError extends Error {
  constructor(
    readonly status: number,
    readonly title: string,
    readonly errors: readonly FieldError[] = [],
  ) {
    super(title)
  }
}

export function parse<T>(schema: ZodType<T>, value: unknown): T {
  const { success, data, error } = schema.safeParse(value)
  if (success) return data
  const errors = error.issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys'
      ? issue.keys.map((key) => ({ pointer: pointerOf([...issue.path, key]), detail: 'is unknown' }))
      : [{ pointer: pointerOf(issue.path), detail: issue.message }],
  )
  const fields = errors.map(({ pointer }) => pointer.slice(2) || 'the body')
  throw new ControlError(400, `Invalid: ${[...new Set(fields)].join(', ')}`, errors)
}

/** Returns the pointer to a field. It ends before a name that may be a value, such as the whole body of a form. */
function pointerOf(path: readonly PropertyKey[]): string {
  const names = path.map(String)
  const end = names.findIndex((name) => !/^\w{1,40}$/.test(name) || /\d{12}/.test(name))
  return ['#', ...names.slice(0, end < 0 ? undefined : end)].join('/')
}

/** The body of a control that needs none. */
export const NOTHING = z.strictObject({})

export const notFound: RequestHandler = () => {
  throw new ControlError(404, 'Nothing is served at this path')
}

export function methodNotAllowed(...allowed: string[]): RequestHandler {
  return (_request, response) => {
    response.set('Allow', allowed.join(', '))
    throw new ControlError(405, `This path answers ${allowed.join(', ')} only`)
  }
}

/** The last middleware of the control API. */
export const sendProblem: ErrorRequestHandler = (error: unknown, _request, response, _next) => {
  if (error instanceof ControlError) return send(response, error)
  const status = bodyErrorStatus(error)
  if (status === 413) return send(response, new ControlError(413, 'The body is too long'))
  if (status) return send(response, new ControlError(status, 'The body cannot be read'))
  reportBug(error)
  send(response, new ControlError(500, 'Internal error'))
}

/** Returns the status of an error in reading a body or path. Its message may quote the input: show only the status. */
export function bodyErrorStatus(error: unknown): number | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined
  return typeof status === 'number' && status >= 400 && status < 500 ? status : undefined
}

export function reportBug(error: unknown): void {
  process.stderr.write(`sandbox: ${error instanceof Error ? error.stack : 'unknown error'}\n`)
}

function send(response: Response, { status, title, errors }: ControlError): void {
  response.status(status).type('application/problem+json')
  response.send(JSON.stringify({ type: 'about:blank', title, status, ...(errors.length > 0 && { errors }) }))
}
