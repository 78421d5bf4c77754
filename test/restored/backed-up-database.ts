import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { Client } from 'pg'
import { eventually } from '@cofre/testing/testing'
import { withClient } from '@cofre/testing/with-client'
import { startDatabase } from '../../local/src/database'
import { findPostgres } from '../../local/src/postgres-program'
import { blockWith, settingsIn } from './page'

/** A PostgreSQL of its own, backed up and restored with the settings of the page. */
export type BackedUpDatabase = {
  url: string
  /** Takes a base backup while it serves. */
  backUp(): Promise<void>
  /** The current time of its clock. */
  moment(): Promise<string>
  query(sql: string): Promise<Record<string, unknown>[]>
  /** Holds back the events that a service wants to publish, until the database is lost. */
  holdOutbox(): Promise<void>
  /** Destroys it, as if its machine were gone. Its archive stays. */
  lose(): Promise<void>
  /** Restores it as it was at this moment of its clock. */
  restore(moment: string): Promise<void>
  stop(): Promise<void>
}

export async function startBackedUpDatabase(dir: string, port: number): Promise<BackedUpDatabase> {
  const [data, base, archive] = [join(dir, 'data'), join(dir, 'base'), join(dir, 'archive')] as const
  mkdirSync(archive, { recursive: true })
  giveToPostgres(archive)
  const settingsWith = (words: string) =>
    Object.entries(settingsIn(blockWith(words))).map(
      ([name, value]) => [name, value.replaceAll('/archive/orders', archive)] as const,
    )
  const always = Object.fromEntries(settingsWith('archive_command'))
  let server = await startDatabase(data, port, { settings: always, unsynced: true })
  let label = ''
  const { url } = server
  const query = (sql: string) =>
    withClient(url, async (client) => (await client.query<Record<string, unknown>>(sql)).rows)
  return {
    url,
    query,
    async moment() {
      const [row] = await query('SELECT clock_timestamp()::text AS moment')
      return String(row?.['moment'])
    },
    async backUp() {
      await withClient(url, async (client) => {
        await client.query("SELECT pg_backup_start('drill', true)")
        copy(data, base)
        const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop()')
        label = rows[0].labelfile
      })
    },
    async holdOutbox() {
      const client = new Client({ connectionString: url })
      client.on('error', () => {}) // The connection ends with the database.
      await client.connect()
      await client.query("SELECT pg_advisory_lock(hashtext('outbox'))")
    },
    async lose() {
      const [last] = await query('SELECT pg_walfile_name(pg_switch_wal()) AS segment')
      await eventually(async () => {
        const archived = await query(
          `SELECT FROM pg_stat_archiver WHERE last_archived_wal >= '${String(last?.['segment'])}'`,
        )
        expect(archived).toHaveLength(1)
      })
      await server.kill()
      rmSync(data, { recursive: true })
    },
    async restore(moment) {
      copy(base, data)
      writeFileSync(join(data, 'backup_label'), label)
      writeFileSync(join(data, 'recovery.signal'), '')
      giveToPostgres(data)
      const settings = { ...always, ...Object.fromEntries(settingsWith('restore_command')) }
      server = await startDatabase(data, port, {
        settings: { ...settings, recovery_target_time: moment },
        unsynced: true,
      })
      await eventually(async () =>
        expect(await query('SELECT pg_is_in_recovery() AS is')).toEqual([{ is: false }]),
      )
    },
    stop: () => server.stop(),
  }
}

/**
 * Copies the data folder without its WAL, which comes from the archive, as pg_basebackup -X none does.
 * The server runs meanwhile: a file or a folder that it removes is no part of the copy.
 */
function copy(from: string, to: string): void {
  mkdirSync(to, { recursive: true, mode: 0o700 })
  if (basename(from) === 'pg_wal') return
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (entry.name === 'postmaster.pid') continue
    const source = join(from, entry.name)
    try {
      if (entry.isDirectory()) copy(source, join(to, entry.name))
      else copyFileSync(source, join(to, entry.name))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    }
  }
}

/** Gives a folder to the user as whom PostgreSQL runs when root starts it. */
function giveToPostgres(path: string): void {
  const { uid, gid } = findPostgres().user
  if (uid === undefined) return
  const { status, stderr } = spawnSync('chown', ['-R', `${uid}:${gid}`, path], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
}
