const root = require('../../jest.config.js')

/** The chart's tests alone, without the database that others need. */
module.exports = {
  ...root,
  rootDir: '../..',
  testMatch: ['<rootDir>/k8s/check/*.test.ts'],
  globalSetup: undefined,
  globalTeardown: undefined,
}
