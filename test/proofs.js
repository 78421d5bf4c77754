/**
 * The proofs: tests that look at pages in a browser, and those that attack, race, kill, load, roll, restore or measure the
 * whole product. Each takes a long while or both cores, so they belong to `npm run test:proofs`. `npm test` runs all else.
 */
module.exports = [
  'bench/test/measure',
  'bench/test/notifications',
  'local/test/start-local',
  'services/invoices/test/killed/',
  'services/notifier/test/long/',
  'services/(orders|vouchers)/test/chaos',
  'test/engines/',
  'test/journeys/(booklet|hooks/pages|manual|many-network-tokens|pages|start|voucher-pages)',
  'test/killed/',
  'test/loaded/',
  'test/paying/',
  'test/probed/(canaries|certificates|hostile|malformed)',
  'test/raced/',
  'test/restored/',
  'test/rolled/',
  'test/rotated/',
  'test/visited/',
]
