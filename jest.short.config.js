const everything = require('./jest.config')
const proofs = require('./test/proofs')

/** `npm test`: all but the proofs. Most tests wait more than they work, so that four at once keep two cores busy. */
module.exports = {
  ...everything,
  testPathIgnorePatterns: ['/node_modules/', ...proofs.map((path) => `<rootDir>/${path}`)],
  maxWorkers: 4,
}
