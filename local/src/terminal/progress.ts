const QUIET_MS = 3_000

export type Progress = { step(text: string): void; end(): void }

/** Shows each step, and every three seconds that it still lasts: a silent terminal looks broken. */
export function tellProgress(say: (line: string) => void, quietMs = QUIET_MS): Progress {
  let timer: NodeJS.Timeout | undefined
  const end = () => clearInterval(timer)
  const step = (text: string) => {
    end()
    const since = performance.now()
    say(`${text} …`)
    timer = setInterval(() => {
      const seconds = Math.round((performance.now() - since) / 1_000)
      say(`  still working: ${text.charAt(0).toLowerCase()}${text.slice(1)} (${seconds} s)`)
    }, quietMs)
    timer.unref()
  }
  return { step, end }
}
