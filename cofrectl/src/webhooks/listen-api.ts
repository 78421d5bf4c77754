import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { problemText } from '../problem-text'
import type { Terminal } from '../terminal'
import { UsageError } from '../usage-error'

/** Access to the HTTP API, as a seller's program has it. */
export type Api = {
  /** Resolves with the body, or null without one. Throws RefusedByApi or the connection's error; `ended` cuts it. */
  call(method: string, path: string, body?: object, ended?: AbortSignal): Promise<unknown>
}

/** The API answered with an error. */
export class RefusedByApi extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly retryAfterSeconds: number | undefined,
  ) {
    super(message)
  }
}

const TIMEOUT_MS = 40_000

/** Adds the options by which a command finds the API. The list of processes would show a token on the command line. */
export function withApiOptions(command: Command): Command {
  return command
    .option('--url <url>', 'base URL of the API (default: COFRE_URL)')
    .option('--token-file <file>', 'file with an API token (default: COFRE_TOKEN)')
}

/** Reads the API's address and token from flags, else the environment, else the `.run` where `npm start` runs. */
export function openApi(flags: { url?: string; tokenFile?: string }, { env, cwd }: Terminal): Api {
  const local = readReady(cwd)
  const url = flags.url ?? env['COFRE_URL'] ?? local?.baseUrl
  const token =
    flags.tokenFile === undefined ? (env['COFRE_TOKEN'] ?? local?.token) : readToken(flags.tokenFile)
  if (url === undefined) throw new UsageError('Set the URL of the API with --url or COFRE_URL.')
  if (!token) throw new UsageError('Set an API token with --token-file or COFRE_TOKEN.')
  const base = url.replace(/\/+$/, '')
  return {
    call: async (method, path, body, ended) => {
      const late = AbortSignal.timeout(TIMEOUT_MS)
      const answer = await fetch(`${base}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body ? { 'content-type': 'application/json' } : {}),
        },
        signal: ended ? AbortSignal.any([late, ended]) : late,
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
      const text = await answer.text()
      if (answer.ok) return text === '' ? null : (JSON.parse(text) as unknown)
      throw new RefusedByApi(answer.status, faultIn(text, answer.status), secondsIn(answer))
    },
  }
}

function readReady(cwd: string): { baseUrl?: string; token?: string } | undefined {
  try {
    return JSON.parse(readFileSync(join(cwd, '.run/ready.json'), 'utf8')) as {
      baseUrl?: string
      token?: string
    }
  } catch {
    return undefined
  }
}

function readToken(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch {
    throw new UsageError(`${file} cannot be read.`)
  }
}

/** Returns the text that cofrectl shows for a problem. */
function faultIn(text: string, status: number): string {
  try {
    const {
      code,
      detail,
      errors = [],
    } = JSON.parse(text) as {
      code: string
      detail: string
      errors?: { pointer: string; detail: string }[]
    }
    return problemText(code, detail, errors)
  } catch {
    return `The API answered ${status}.`
  }
}

function secondsIn(answer: Response): number | undefined {
  const seconds = Number(answer.headers.get('retry-after') ?? NaN)
  return Number.isFinite(seconds) ? seconds : undefined
}
