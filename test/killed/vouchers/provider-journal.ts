import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

type Line = {
  key: string
  /** Null once it is gone. */
  payload: { grantId?: string; consumed?: number } | null
  expiresAt: number
}

/** The records of the identity provider: its controls do not show which code and tokens belong to a grant. */
export type ProviderBooks = {
  /** The grants that still have a valid token. */
  live: ReadonlySet<string>
  /** The grant that an authorization code began. */
  grantOf(code: string): string | undefined
}

/** Reads the journal of the sandbox's identity provider: lines in order of writing; the last one of a key counts. */
export function readProvider(runDir: string, now: number): ProviderBooks {
  const lines = readFileSync(join(runDir, 'sandbox', 'identity.jsonl'), 'utf8')
    .split('\n')
    .slice(0, -1)
  const newest = new Map<string, Line>()
  const grants = new Map<string, string>()
  for (const line of lines.map((text) => JSON.parse(text) as Line)) {
    newest.set(line.key, line)
    if (line.payload?.grantId !== undefined) grants.set(line.key, line.payload.grantId)
  }
  const good = [...newest.values()].filter(
    ({ key, payload, expiresAt }) =>
      /^(Access|Refresh)Token:/.test(key) && payload && payload.consumed === undefined && expiresAt > now,
  )
  return {
    live: new Set(good.flatMap(({ key }) => grants.get(key) ?? [])),
    grantOf: (code) => grants.get(`AuthorizationCode:${createHash('sha256').update(code).digest('hex')}`),
  }
}
