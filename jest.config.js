const esmOnly = [
  'jose',
  'undici',
  'node-pg-migrate',
  'jiti',
  'oidc-provider',
  'openid-client',
  'oauth4webapi',
]
// Loads a part of Node by import(), which Jest can't do: the driver then says nothing of itself, and is refused.
const importing = ['mongodb']

/** CommonJS in the tests: the ESM mode of Jest was measured to keep 6 MB for each test file. */
module.exports = {
  testMatch: [
    '<rootDir>/{packages,services}/*/test/**/*.test.ts',
    '<rootDir>/{sandbox,cofrectl,local,engines,bench,test}/**/*.test.ts',
    '<rootDir>/k8s/check/*.test.ts',
  ],
  modulePathIgnorePatterns: ['/dist/', '<rootDir>/.run/'],
  transform: {
    '^.+\\.[tj]s$': [
      '@swc/jest',
      {
        jsc: { target: 'es2023', parser: { syntax: 'typescript' } },
        module: { type: 'commonjs', ignoreDynamic: false },
      },
    ],
  },
  transformIgnorePatterns: [`/node_modules/(?!(${[...esmOnly, ...importing].join('|')})/)`],
  moduleNameMapper: {
    '^fast-check$': '<rootDir>/test/fast-check.js',
    '^@cofre/(cofrectl|local|engines)/(.*)$': '<rootDir>/$1/src/$2',
    '^@cofre/([^/]+)/(.*)$': '<rootDir>/packages/$1/src/$2',
  },
  testEnvironment: '<rootDir>/test/one-realm/environment.js',
  runtime: '<rootDir>/test/one-realm/runtime.js',
  globalSetup: '<rootDir>/test/start-postgres.ts',
  globalTeardown: '<rootDir>/test/stop-postgres.ts',
  // The cores of a small machine. A third worker finishes no sooner, and starves the programs that the others started.
  maxWorkers: 2,
  // What libraries write, above all that they know no Node 20, hides what failed.
  silent: true,
  // A test that hangs ends after it. No test is told by it whether something is fast.
  testTimeout: 600_000,
}
