const asyncHooks = require('node:async_hooks')
const { ModernFakeTimers } = require('@jest/fake-timers')
const { ModuleMocker } = require('jest-mock')

// The globals that Jest's own copies of libraries look for in the realm in which they run.
const NATIVE = {
  [Symbol.for('jest-native-promise')]: Promise,
  [Symbol.for('jest-native-now')]: Date.now.bind(Date),
}

// Gives Node's own fetch its dispatcher. Otherwise the first file that loads the package undici would set one for good,
// and the modules of that dispatcher end with the file.
void globalThis.Headers

/**
 * Runs a test file among the globals of its worker, not in a V8 context of its own: in a context, each read of a global
 * passes a proxy, and every library is compiled again. When a file ends, its changes to the globals, the environment
 * and the listeners of the process are undone.
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

/** Restores the globals. A global that Node creates on first use stays as created. */
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

/** Disables the storages of a file: an enabled one costs a little for each promise of any later file. */
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
