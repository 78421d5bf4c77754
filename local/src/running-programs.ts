import { stopStages } from '@cofre/platform/service/services'
import { recordChildren } from './started-children'
import type { RunFolder } from './run-folder'
import { supervise, type Program, type Supervised } from './supervise'

export type RunningPrograms = {
  start(program: Program): Supervised
  all(): Supervised[]
  pids(): Record<string, number>
  /** Stops all programs by stages, the last stage first; the programs of a stage stop together. */
  stop(): Promise<void>
  /** Ends all at once, without a request to stop. */
  kill(): Promise<void>
}

type Told = { tell(line: string): void; changed(): void; lost(reason: string, program: Supervised): void }

// Programs that others depend on stop after them.
const STAGES = [...stopStages(), ['sandbox'], ['postgres']]

export function runPrograms(run: RunFolder, { tell, changed, lost }: Told): RunningPrograms {
  const programs = new Map<string, Supervised>()
  const pids: Record<string, number> = {}
  const start = (program: Program) => {
    const supervised = supervise(program, {
      started: (pid) => {
        pids[program.name] = pid
        recordChildren(run, pids)
        changed()
      },
      died: tell,
    })
    programs.set(program.name, supervised)
    void supervised.lost.then((reason) => lost(reason, supervised))
    return supervised
  }
  const stop = async () => {
    for (const stage of STAGES) await Promise.all(stage.map(async (name) => programs.get(name)?.stop()))
  }
  const kill = async () => {
    await Promise.all([...programs.values()].map((program) => program.kill()))
  }
  return { start, stop, kill, all: () => [...programs.values()], pids: () => ({ ...pids }) }
}
