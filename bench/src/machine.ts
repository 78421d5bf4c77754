import { execFileSync } from 'node:child_process'
import { cpus, release, totalmem, type } from 'node:os'

/** Describes the machine, so that a reader can compare results. */
export function describeMachine(root: string): string {
  const [cpu] = cpus()
  const gib = (totalmem() / 1024 ** 3).toFixed(0)
  return [
    `${cpus().length} × ${cpu?.model.trim() ?? 'unknown CPU'}, ${gib} GiB, ${type()} ${release()};`,
    `PostgreSQL embedded, durable (fsync and synchronous_commit on); load generator, sandbox and system share the machine.`,
    `Commit ${git(root, 'rev-parse', '--short', 'HEAD')}, ${new Date().toISOString().slice(0, 10)}.`,
  ].join(' ')
}

function git(root: string, ...args: string[]): string {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
  } catch {
    return 'unknown'
  }
}
