const root = require('../../jest.config.js')

/** The tests of the chart alone, which need no database. */
module.exports = {
  ...root,
  rootDir: '../..',
  testMatch: ['<rootDir>/k8s/check/*.test.ts'],
  globalSetup: undefined,
  globalTeardown: undefined,
}
