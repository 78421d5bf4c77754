const { testSeed } = require('@cofre/testing/random')
// By its path: its name leads here.
const fastCheck = require('../node_modules/fast-check/lib/cjs/fast-check')

/** fast-check as all tests import it: what it draws follows the seed of the run. */
fastCheck.configureGlobal({ seed: testSeed() })
module.exports = fastCheck
