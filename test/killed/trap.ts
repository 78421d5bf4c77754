import { programsOf, type Program, type Target, type What, type When } from './points'

/** Kills its victim at the moment that it is set for, once. */
export type Trap = {
  /** Resolves true when it sprang, false when the moment did not come in time. */
  set(target: Target, options: { skip: number; timeoutMs: number }): Promise<boolean>
  /** Called when a message passes between `ends`. True when one of the ends is dead now, and the message lost. */
  pass(what: What, when: When, ends: readonly Program[]): boolean
  /** The call or commit that the trap is set for, so that clients can lead to it. */
  awaited(): What | undefined
}

type Setting = { target: Target; skip: number; sprung: () => void }

export function createTrap(kill: (programs: readonly Program[]) => void): Trap {
  let setting: Setting | undefined
  return {
    awaited: () => setting?.target.what,
    set: (target, { skip, timeoutMs }) =>
      new Promise((resolve) => {
        const end = (sprang: boolean) => {
          clearTimeout(timer)
          setting = undefined
          resolve(sprang)
        }
        const timer = setTimeout(() => end(false), timeoutMs)
        setting = { target, skip, sprung: () => end(true) }
      }),
    pass: (what, when, ends) => {
      if (!setting || setting.target.what !== what || setting.target.when !== when) return false
      if (setting.skip-- > 0) return false
      const killed = programsOf(setting.target.victim)
      kill(killed)
      setting.sprung()
      return ends.some((end) => killed.includes(end))
    },
  }
}
