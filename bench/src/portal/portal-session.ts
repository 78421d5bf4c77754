import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { MeasuredSystem } from '../measured-system'
import { rest } from '../rest'

/** A person who is signed in to the portal of the measured seller. */
export type PortalSession = { cookie: string; root: string }

export type Visit = { html: string; serverMs: number }

/** 422: a list whose filter wants a second one beside it. */
const SHOWN = [200, 422]
const TRIES_MAX = 20
const LOGGED_WITHIN_MS = 5_000
const LOG_TAIL_BYTES = 64 * 1024

export async function signIn({ local }: MeasuredSystem): Promise<PortalSession> {
  const { url, email, password } = local.ready.portal
  const form = await fetch(`${url}/login`)
  const [, formToken = ''] = /name="formToken" value="([^"]+)"/.exec(await form.text()) ?? []
  const answer = await fetch(`${url}/login`, {
    method: 'POST',
    body: new URLSearchParams({ email, password, formToken }),
    headers: { cookie: cookiesOf(form) },
    redirect: 'manual',
  })
  const cookie = cookiesOf(answer)
  if (answer.status !== 303 || !cookie) throw new Error(`the sign-in was answered ${answer.status}`)
  return { cookie, root: new URL(url).pathname }
}

function cookiesOf(answer: Response): string {
  const pairs = answer.headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  return pairs.filter((pair) => !pair.endsWith('=')).join('; ')
}

/**
 * Reads a page, and how long it took by the gateway's own log: from the head of the request to the end of its answer. Of
 * a file the first bytes are read. A session that asked too much waits as long as the answer says.
 */
export async function visit(system: MeasuredSystem, { cookie }: PortalSession, path: string): Promise<Visit> {
  const log = join(system.logs, 'gateway.log')
  const leaving = new AbortController()
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const from = sizeOf(log)
    const answer = await fetch(`${system.target.url}${path}`, {
      headers: { cookie },
      redirect: 'manual',
      signal: leaving.signal,
    })
    const isFile = !answer.headers.get('content-type')?.startsWith('text/html')
    const html = isFile ? await firstBytes(answer, leaving) : await answer.text()
    const serverMs = await loggedMs(log, from)
    if (SHOWN.includes(answer.status)) return { html, serverMs }
    // A service did not answer in time: over any budget.
    if (answer.status === 503) return { html, serverMs: Number.POSITIVE_INFINITY }
    if (answer.status !== 429) throw new Error(`${path} was answered ${answer.status}`)
    await rest(Number(answer.headers.get('retry-after') ?? 1))
  }
  throw new Error(`${path} was refused ${TRIES_MAX} times`)
}

async function firstBytes(answer: Response, leaving: AbortController): Promise<string> {
  const { value } = (await answer.body?.getReader().read()) ?? {}
  leaving.abort()
  return Buffer.from((value as Uint8Array | undefined) ?? []).toString()
}

/** The `ms` of the first answer that the gateway logged after `from`. The bench sends one request at a time. */
async function loggedMs(log: string, from: number): Promise<number> {
  const until = performance.now() + LOGGED_WITHIN_MS
  while (performance.now() < until) {
    const lines = read(log, from).split('\n').slice(0, -1)
    const answered = lines.find((line) => line.includes('"msg":"answered"'))
    if (answered !== undefined) return (JSON.parse(answered) as { ms: number }).ms
    await rest(0.002)
  }
  throw new Error('the gateway logged no answer')
}

function sizeOf(path: string): number {
  const file = openSync(path, 'r')
  try {
    return fstatSync(file).size
  } finally {
    closeSync(file)
  }
}

function read(path: string, from: number): string {
  const file = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(LOG_TAIL_BYTES)
    return bytes.toString('utf8', 0, readSync(file, bytes, 0, LOG_TAIL_BYTES, from))
  } finally {
    closeSync(file)
  }
}
