const { statSync } = require('node:fs')
const { compileFunction } = require('node:vm')
const { default: Runtime } = require('jest-runtime')

/** The compiled code of this worker, by file: a file that does not change is compiled once for all test files. */
const compiled = new Map()
const transformed = new Map()

/** Jest's module registry for test files that share the realm of their worker: each file runs its modules again. */
class OneRealmRuntime extends Runtime {
  constructor(...parts) {
    super(...parts)
    const { executor, transformCache } = this
    const transform = transformCache.transform.bind(transformCache)
    transformCache.transform = (file, options) => {
      const { mtimeMs, size } = statSync(file)
      const key = `${options?.isInternalModule === true} ${file}`
      const known = transformed.get(key)
      if (known?.mtimeMs === mtimeMs && known.size === size) {
        if (known.map) transformCache.sourceMaps.set(file, known.map)
        return known.code
      }
      const code = transform(file, options)
      transformed.set(key, { mtimeMs, size, code, map: transformCache.sourceMaps.get(file) })
      return code
    }
    executor.compile = (code, file) => {
      const known = compiled.get(file)
      if (known?.code === code) return known.run
      const run = compileFunction(code, executor.injectedModuleParameters, { filename: file })
      compiled.set(file, { code, run })
      return run
    }
  }
}

module.exports = { __esModule: true, default: OneRealmRuntime }
