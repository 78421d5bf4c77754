import { AsyncLocalStorage } from 'node:async_hooks'
import { once } from 'node:events'
import type { Logger } from '../telemetry/log'

let asked: Promise<unknown> | undefined

function stopAsked(): Promise<unknown> {
  return (asked ??= Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]))
}

/** Resolves when Kubernetes or a developer asks the process to stop, or did so since `runProgram`. */
export async function untilStopped(): Promise<void> {
  await stopAsked()
}

/** Runs a program's `main` and ends the process with its outcome. It is cut off if it runs 30 s after SIGTERM. */
export function runProgram(log: () => Logger | undefined, main: () => Promise<void>): void {
  const stop = (error: unknown, code: number) => {
    const logger = log()
    if (logger) logger.fatal({ err: error }, 'stopped')
    else process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
    process.exit(code)
  }
  void stopAsked()
  process.once('SIGTERM', () =>
    setTimeout(() => stop(new Error('did not stop within 30 s'), 1), 30_000).unref(),
  )
  process.on('unhandledRejection', (error) => stop(error, 1))
  main().then(
    () => process.exit(0),
    (error: unknown) => stop(error, 1),
  )
}

const FAILED_REST_MAX_MS = 1_000

export type Loop = { stop(): Promise<void>; wake(): void }

const atWork = new AsyncLocalStorage<() => void>()

/** Returns a function that ends the rest of the loop whose work this is part of; undefined outside of a loop. */
export function wakeOfLoop(): (() => void) | undefined {
  return atWork.getStore()
}

/**
 * Runs `work` again and again until stopped, resting `restMs` when it did nothing. `wake` ends the rest. A wake during
 * `work`, which may have looked too early, skips the next rest. An error goes to `onError` and is always followed by a
 * rest, which doubles with each error in a row, up to a second. So a sweeper outlives a restart of the database without
 * filling the log.
 */
export function repeat(
  work: () => Promise<number>,
  restMs: number | (() => number),
  onError: (error: unknown) => void,
): Loop {
  const restOf = typeof restMs === 'number' ? () => restMs : restMs
  let stopped = false
  let woken = false
  let failures = 0
  let endRest = () => {}
  const rest = () =>
    new Promise<void>((resolve) => {
      const ms = restOf()
      const timer = setTimeout(resolve, Math.max(ms, Math.min(ms * 2 ** failures, FAILED_REST_MAX_MS)))
      endRest = () => (clearTimeout(timer), resolve())
    })
  const wake = () => ((woken = true), endRest())
  const attempt = async () => {
    try {
      const done = await atWork.run(wake, work)
      failures = 0
      return done
    } catch (error) {
      onError(error)
      failures += 1
      woken = false
      return 0
    }
  }
  const loop = async () => {
    while (!stopped) {
      woken = false
      const done = await attempt()
      if (done === 0 && !woken && !stopped) await rest()
    }
  }
  const finished = loop()
  const stop = () => ((stopped = true), endRest(), finished)
  return { stop, wake }
}
