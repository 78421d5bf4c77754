import { parseUrl as parsedUrl } from '@cofre/platform/outbound/parse-url'
import { setTimeout as rest } from 'node:timers/promises'
import { Command, InvalidArgumentError } from 'commander'
import { parseId } from '../arguments'
import { openApi, RefusedByApi, withApiOptions, type Api } from './listen-api'
import { forward, type Forwarded, type Heard } from './listen-forward'
import type { Terminal } from '../terminal'

type Options = {
  url?: string
  tokenFile?: string
  forwardTo: string
  events?: string[]
  count?: number
  skipVerify?: true
}
type Listener = { id: number; secret: string }

const LISTENERS = '/api/v2/webhooks/listeners'
const WAIT_SECONDS = 20
const RETRY_FIRST_MS = 1_000
const RETRY_MAX_MS = 10_000
/** An empty answer that came sooner did not wait: the API has too many waiting requests. */
const EARLY_MS = 1_000

export function listenCommand(terminal: Terminal): Command {
  const command = new Command('listen')
    .description('forwards a seller’s webhooks to a server on this machine')
    .requiredOption('--forward-to <url>', 'URL to which cofrectl posts each event', parseUrl)
    .option(
      '--events <types>',
      'event types, separated by commas: charge.*,invoice.paid (default: all)',
      parseTypes,
    )
    .option('--count <n>', 'stop after this many events', parseId)
    .option(
      '--skip-verify',
      'forward over https whatever certificate your server has, such as a self-signed one',
    )
    .addHelpText(
      'after',
      `
The token needs webhooks:read and webhooks:write. Each event has the body and the headers that an endpoint gets, signed
with the secret that is printed first. cofrectl posts it once, shows your server's answer and does not retry.
After a lost connection, it continues where it stopped. Press Ctrl+C to end.

Examples:
  cofrectl listen --forward-to http://localhost:3000/hooks
  cofrectl listen --forward-to http://localhost:3000/hooks --events 'charge.*' --token-file token.txt
  cofrectl listen --forward-to https://localhost:3443/hooks --skip-verify`,
    )
  return withApiOptions(command).action((options: Options) =>
    listen(
      terminal,
      openApi(options, terminal),
      options,
      command.optsWithGlobals<{ json?: boolean }>().json === true,
    ),
  )
}

async function listen(terminal: Terminal, api: Api, options: Options, json: boolean): Promise<void> {
  const ended = new AbortController()
  const end = () => ended.abort()
  process.once('SIGINT', end)
  process.once('SIGTERM', end)
  const target = { url: options.forwardTo, skipVerify: options.skipVerify === true }
  if (target.skipVerify && target.url.startsWith('https:'))
    terminal.errors.write(
      'cofrectl: the certificate of your server is not verified. Use this on your machine only.\n',
    )
  let listener = await begin(terminal, api, options, json)
  let [after, told] = [0, 0]
  const most = options.count ?? Infinity
  try {
    while (!ended.signal.aborted && told < most) {
      const read = await readSome(
        terminal,
        api,
        `${LISTENERS}/${listener.id}/events?after=${after}`,
        ended.signal,
      )
      if (read === 'gone') {
        terminal.errors.write('cofrectl: the listener was removed; events since then are not forwarded.\n')
        listener = await begin(terminal, api, options, json)
        after = 0
        continue
      }
      for (const event of read.slice(0, most - told)) {
        if (ended.signal.aborted) break
        const outcome = await forward(event, target)
        terminal.output.write(json ? `${JSON.stringify(outcome)}\n` : lineOf(outcome))
        after = event.number
        told += 1
      }
    }
  } finally {
    process.off('SIGINT', end)
    process.off('SIGTERM', end)
    // Without this, it would be removed a day later.
    await api.call('DELETE', `${LISTENERS}/${listener.id}`).catch(() => {})
  }
}

async function begin(
  terminal: Terminal,
  api: Api,
  { events, forwardTo }: Options,
  json: boolean,
): Promise<Listener> {
  const made = (await api.call('POST', LISTENERS, events ? { events } : {})) as Listener
  const words = `Forwarding ${events?.join(', ') ?? 'all events'} to ${forwardTo}\nSigning secret: ${made.secret}\n`
  terminal.output.write(json ? `${JSON.stringify({ secret: made.secret, forwardTo })}\n` : words)
  return made
}

/** Returns the next events, perhaps none, or `gone` without the listener. Retries a failed connection until we end. */
async function readSome(
  terminal: Terminal,
  api: Api,
  path: string,
  ended: AbortSignal,
): Promise<Heard[] | 'gone'> {
  let waitMs = RETRY_FIRST_MS
  let isTold = false
  for (;;) {
    const begun = Date.now()
    try {
      const answer = await api.call('GET', `${path}&wait=${WAIT_SECONDS}`, undefined, ended)
      const { events } = answer as { events: Heard[] }
      if (isTold) terminal.errors.write('cofrectl: connected again.\n')
      if (events.length === 0 && Date.now() - begun < EARLY_MS) await pause(EARLY_MS, ended)
      return events
    } catch (error) {
      if (ended.aborted) return []
      if (error instanceof RefusedByApi) {
        if (error.status === 404) return 'gone'
        if (error.status < 500 && error.status !== 429) throw error
        waitMs = Math.max(waitMs, (error.retryAfterSeconds ?? 0) * 1_000)
      }
      if (!isTold)
        terminal.errors.write('cofrectl: the connection was lost; trying again. You will miss no events.\n')
      isTold = true
      await pause(waitMs, ended)
      if (ended.aborted) return []
      waitMs = Math.min(RETRY_MAX_MS, waitMs * 2)
    }
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await rest(ms, undefined, { signal }).catch(() => {})
}

function lineOf({ at, type, resource, status, error, errorCode, durationMs }: Forwarded): string {
  const time = new Date(at).toTimeString().slice(0, 8)
  const id = String(resource.id)
  const named = `${resource.kind} ${id.length > 20 ? `${id.slice(0, 12)}…` : id}`
  const answer = String(status ?? errorCode).padEnd(12)
  const why = error === undefined ? '' : `  ${error}`
  return `${time}  ${type.padEnd(30)}  ${named.padEnd(28)}  ${answer}  ${durationMs} ms${why}\n`
}

function parseUrl(text: string): string {
  const protocol = parsedUrl(text)?.protocol ?? ''
  if (!/^https?:$/.test(protocol)) throw new InvalidArgumentError('It must be an http or https URL.')
  return text
}

function parseTypes(text: string, before: string[] = []): string[] {
  return [
    ...before,
    ...text
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== ''),
  ]
}
