const asyncHooks = require('node:async_hooks')
const { ModernFakeTimers } = require('@jest/fake-timers')
const { ModuleMocker } = require('jest-mock')

// What Jest's own copies of a library look for in the realm in which they run.
const NATIVE = {
  [Symbol.for('jest-native-promise')]: Promise,
  [Symbol.for('jest-native-now')]: Date.now.bind(Date),
}

// Node's own fetch gets its dispatcher now. A file that loads the package undici first would give it one, for good, whose
// modules end with that file.
void globalThis.Headers

/**
 * Runs a test file among the globals of its worker, not in a V8 context of its own. There each look at a global went
 * through a proxy, and every library was compiled again. What a file changes of the globals, of the environment and of
 * the listeners of the process is undone when it ends.
 */
class OneRealm {
  global = globalThis
  fakeTimers = null
  moduleMocker = new ModuleMocker(globalThis)

  constructor({ projectConfig }) {
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis })
    this.restore = [
      keepGlobals(),
      keepEnvironment(),
      keepListeners(),
      keepMembers(process, ['exit', 'getBuiltinModule']),
      keepStorages(),
    ]
    Object.assign(globalThis, NATIVE, { global: globalThis })
    Error.stackTraceLimit = 100
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose()
    for (const restore of this.restore) restore()
  }

  exportConditions() {
    return ['node', 'node-addons']
  }

  getVmContext() {
    return this.global
  }
}

function keepMembers(object, names) {
  const kept = names.map((name) => [name, Object.getOwnPropertyDescriptor(object, name)])
  return () => {
    for (const [name, descriptor] of kept) {
      if (descriptor === undefined) delete object[name]
      else if (descriptor.configurable) Object.defineProperty(object, name, descriptor)
    }
  }
}

/** What Node makes when it is first asked for stays as it was made. */
function keepGlobals() {
  const before = new Set(Reflect.ownKeys(globalThis))
  const values = [...before].filter((key) => 'value' in Object.getOwnPropertyDescriptor(globalThis, key))
  const restoreValues = keepMembers(globalThis, values)
  return () => {
    restoreValues()
    for (const key of Reflect.ownKeys(globalThis)) {
      const { configurable } = Object.getOwnPropertyDescriptor(globalThis, key)
      if (!before.has(key) && configurable) delete globalThis[key]
    }
  }
}

function keepEnvironment() {
  const before = { ...process.env }
  return () => {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name]
    Object.assign(process.env, before)
  }
}

/** A storage that is never disabled costs a little for each promise that any later file makes. */
function keepStorages() {
  const restore = keepMembers(asyncHooks, ['AsyncLocalStorage'])
  const made = []
  class KnownStorage extends asyncHooks.AsyncLocalStorage {
    constructor(...options) {
      super(...options)
      made.push(this)
    }
  }
  Object.defineProperty(asyncHooks, 'AsyncLocalStorage', { value: KnownStorage, configurable: true })
  return () => {
    restore()
    for (const storage of made) storage.disable()
  }
}

function keepListeners() {
  const heard = () =>
    process.eventNames().flatMap((name) => process.rawListeners(name).map((told) => [name, told]))
  const before = new Set(heard().map(([, told]) => told))
  return () => {
    for (const [name, told] of heard()) if (!before.has(told)) process.removeListener(name, told)
  }
}

module.exports = OneRealm
