import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Client } from 'pg'
import { withClient } from '@cofre/testing/with-client'
import { databaseUrl } from '../../local/src/database'
import { runFolder } from '../../local/src/run-folder'
import { readState } from '../../local/src/saved-state'
import { DATABASES } from '../../local/src/service-databases'

/** A place where card data could rest: its name, and its whole content as text. */
export type Place = { name: string; text: string }

/** Every file of the system but those of the database, whose contents are read as tables. */
export function filesOf(runDir: string): Place[] {
  const { postgres } = runFolder(runDir)
  const walk = (dir: string): string[] =>
    readdirSync(dir).flatMap((name) => {
      const path = join(dir, name)
      if (path === postgres) return []
      return statSync(path).isDirectory() ? walk(path) : [path]
    })
  return walk(runDir).map((path) => ({
    name: `file ${relative(runDir, path)}`,
    text: readFileSync(path, 'latin1'),
  }))
}

/** Every column of every table of every database; bytes as hexadecimal. */
export async function tablesOf(runDir: string): Promise<Place[]> {
  const places = await Promise.all(
    ['postgres', ...DATABASES].map((database) => withDatabase(runDir, database, readTables(database))),
  )
  return places.flat()
}

function readTables(database: string) {
  return async (client: Client): Promise<Place[]> => {
    const { rows } = await client.query(
      `SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
       WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    )
    const places: Place[] = []
    for (const { name } of rows) {
      const read = await client.query(`SELECT t::text AS row FROM ${name} t`)
      places.push({ name: `table ${database} ${name}`, text: read.rows.map(({ row }) => row).join('\n') })
    }
    return places
  }
}

/** Does `work` with a database as its superuser. */
export function withDatabase<Result>(
  runDir: string,
  name: string,
  work: (client: Client) => Promise<Result>,
): Promise<Result> {
  const { ports, passwords } = readState(runFolder(runDir))
  const url = databaseUrl({ port: ports['postgres'] ?? 0, password: passwords['postgres'] ?? '', name })
  return withClient(url, work)
}

/** The command lines and environments of processes, where the system shows them. */
export function processesOf(pids: Record<string, number>): Place[] {
  if (!existsSync('/proc/self/environ')) return []
  return Object.entries(pids).flatMap(([program, pid]) =>
    ['cmdline', 'environ'].map((part) => ({
      name: `${part} of ${program}`,
      text: readFileSync(`/proc/${pid}/${part}`, 'utf8').replaceAll('\0', '\n'),
    })),
  )
}
