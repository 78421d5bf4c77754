const everything = require('./jest.config')
const proofs = require('./test/proofs')

const { testMatch: _, ...rest } = everything

/** `npm run test:proofs`: each starts programs that want both cores, so no more than two run at once. */
module.exports = { ...rest, testRegex: proofs.map((path) => `/${path}.*\\.test\\.ts$`) }
