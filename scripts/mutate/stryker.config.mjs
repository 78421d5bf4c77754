/** The settings of Stryker. main.mjs passes the lines to mutate, and the tests in MUTATED_TESTS. */
export default {
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner', './scripts/mutate/skip-prose.mjs'],
  ignorers: ['prose'],
  jest: {
    configFile: 'jest.config.js',
    enableFindRelatedTests: true,
    config: {
      // Stryker wraps Jest's environment in its own, which cannot use the other tests' shared realm.
      testEnvironment: 'node',
      runtime: 'jest-runtime',
      // main.mjs starts one PostgreSQL for all runs.
      globalSetup: null,
      globalTeardown: null,
      testMatch: JSON.parse(process.env.MUTATED_TESTS ?? '[]'),
      testTimeout: 30_000,
    },
  },
  coverageAnalysis: 'perTest',
  concurrency: 2,
  timeoutMS: 20_000,
  dryRunTimeoutMinutes: 15,
  ignoreStatic: true,
  ignorePatterns: ['dist', '.run', '.git', '.ci', 'k8s', 'docs', 'deploy', 'bench', 'sandbox', 'cofrectl'],
  tempDirName: '.run/mutated',
  // TypeScript 7 has no API with which Stryker could rewrite a tsconfig.json, and Jest reads none.
  tsconfigFile: 'none',
  reporters: ['progress-append-only', 'json'],
  jsonReporter: { fileName: '.run/mutated.json' },
  allowEmpty: true,
}
