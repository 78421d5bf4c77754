import { randomBytes } from 'node:crypto'
import { databaseOf, SERVICE_NAMES } from '@cofre/platform/service/services'
import { Client } from 'pg'
import { databaseUrl } from './database'

/** Each service has a database and a role of its own name; `event_log` is the log that they share. */
export const DATABASES = [...SERVICE_NAMES.map(databaseOf), 'event_log']

export type Passwords = Record<string, string>

/** Returns passwords for the superuser and every role, reusing the kept ones. */
export function makePasswords(kept: Passwords): Passwords {
  const roles = ['postgres', ...DATABASES]
  return Object.fromEntries(roles.map((role) => [role, kept[role] ?? randomBytes(24).toString('hex')]))
}

/** Makes the missing databases and roles. A role can connect to its own database and no other. */
export async function makeDatabases(port: number, passwords: Passwords): Promise<void> {
  const client = new Client({
    connectionString: databaseUrl({ port, password: passwords['postgres'] ?? '' }),
  })
  await client.connect()
  try {
    await client.query('REVOKE CONNECT ON DATABASE postgres, template1 FROM PUBLIC')
    const { rows } = await client.query('SELECT datname AS name FROM pg_database')
    const there = new Set(rows.map((row) => row.name))
    for (const name of DATABASES.filter((database) => !there.has(database))) {
      await makeDatabase(client, name, passwords[name] ?? '')
    }
    await client.query(`REVOKE CONNECT ON DATABASE ${DATABASES.join(', ')} FROM PUBLIC`)
  } finally {
    await client.end()
  }
}

async function makeDatabase(client: Client, name: string, password: string): Promise<void> {
  const { rowCount } = await client.query('SELECT 1 FROM pg_roles WHERE rolname = $1', [name])
  const verb = rowCount === 0 ? 'CREATE' : 'ALTER'
  await client.query(`${verb} ROLE ${name} LOGIN PASSWORD '${password}'`)
  await client.query(`CREATE DATABASE ${name} OWNER ${name}`)
}
