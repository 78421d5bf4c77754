/** How Stryker mutates here. main.mjs says which lines, and which tests, in MUTATED_TESTS. */
export default {
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner', './scripts/mutate/skip-prose.mjs'],
  ignorers: ['prose'],
  jest: {
    configFile: 'jest.config.js',
    enableFindRelatedTests: true,
    config: {
      // Stryker brings an environment of its own, which wraps Jest's: the shared realm of the other tests is not for it.
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
  // TypeScript 7 has no API by which Stryker could rewrite a tsconfig.json, and Jest reads none.
  tsconfigFile: 'none',
  reporters: ['progress-append-only', 'json'],
  jsonReporter: { fileName: '.run/mutated.json' },
  allowEmpty: true,
}
