import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

// The kinds of unsteady tests that can be seen by reading. CONTRIBUTING.md names them all, with the right way of each.
const root = join(__dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const code = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter(
    (path) =>
      /^((packages|services)\/[^/]+\/test|packages\/testing\/src|[a-z0-9]+\/test|k8s\/check|test)\/.*\.(ts|mjs)$/.test(
        path,
      ) &&
      !/^test\/(clients|tidy-tests)/.test(path) &&
      existsSync(join(root, path)),
  )

/** `is`: what must not stand there. `but`: the files that have a reason for it. */
type Rule = { is: RegExp; in?: RegExp; but?: Record<string, string> }

const RULES: Record<string, Rule> = {
  'waits for a condition, not for a time': {
    is: /await new Promise[^\n]*=> setTimeout\(|from 'node:timers\/promises'[^]*await (pause|setTimeout|sleep|wait)\(/,
    in: /\.test\.ts$/,
    but: {
      'packages/platform/test/grpc.test.ts': 'calls go on between two restarts',
      'packages/platform/test/kafka-event-log.test.ts': 'work that takes longer than a session',
      'packages/platform/test/mongo-history.test.ts': 'a writer rests after a refusal',
      'packages/platform/test/service/lifecycle.test.ts': 'the program of the test takes its time to start',
      'sandbox/test/pix/oauth.test.ts': 'rests between its looks: the sandbox shares no helper',
      'services/network-token/test/resolve.test.ts': 'a caller rests before it repeats',
      'services/notifier/test/attempts/batched.test.ts': 'a batch that is held up for longer than is allowed',
      'services/notifier/test/attempts/sent-ahead.test.ts': 'nothing more may come in a time',
      'services/orders/test/clocks.test.ts': 'answers that come late',
      'test/engines/engines.test.ts': 'an engine is away for a time',
      'test/engines/one-database-away.test.ts': 'a database is away for a time',
      'test/journeys/many-network-tokens.test.ts': 'a caller rests before it repeats',
      'test/probed/hostile.test.ts': 'a client rests between its requests',
      'test/raced/vouchers.test.ts': 'an issuer is away for a time',
    },
  },
  'counts statements by `statementsIn`, which leaves out those of others': {
    is: /spyOn\((\w+\.)*(pool|Client\.prototype), 'query'\)/,
    but: { 'services/vouchers/test/redirect/renewal.test.ts': 'waits for looks, and counts none' },
  },
  'looks for no three or four digits, which stand in ids and times by chance': {
    is: /not\.to(Match\(\/(.*\|)?\d{3,4}"?(\|.*)?\/|Contain\(['"]\d{3,4}['"])/,
  },
  'makes due by a moment that is past on every clock: `now() - interval …`': {
    is: /\b(ask|next|next_attempt|look_again|compare|due|remind|expires|respond)_(at|by) = now\(\)(?! *[-+])|\b(usable|kept|renewing)_until = now\(\)(?! *[-+])/,
  },
  'gives whatever waits for a core a second at least': {
    is: /\b(timeoutMs|TIMEOUT_MS)['"]?: '?[1-9]\d{0,2}\b/,
    but: {
      'packages/platform/test/postgres.test.ts': 'a migration takes longer than that',
      'services/orders/test/interrupted.test.ts': 'a caller who is about to give up',
      'services/vouchers/test/interrupted.test.ts': 'a caller who is about to give up',
    },
  },
  'connects to 127.0.0.1: `localhost` may have two addresses': {
    is: /\blocalhost:(\$\{|\d)/,
    // The certificate of the sandbox's own tests names localhost alone.
    in: /^(?!sandbox\/)/,
    but: {
      'services/gateway/test/malformed.test.ts': 'a seller may not name it',
      'services/invoices/test/rules/mail-settings.test.ts': 'a setting is read, and nothing connects',
    },
  },
  'draws by the seed of the run: `drawn`, or fast-check without a seed of its own': {
    is: /\bMath\.random\(|\brandomInt\(|\bseed: \d/,
    but: {
      'packages/testing/src/random.ts': 'draws the seed',
      'test/steady.test.ts': 'names the seeds of runs, and draws nothing',
    },
  },
}

test.each(Object.entries(RULES))('each test %s', (_name, { is, in: where = /./, but = {} }) => {
  const found = code.filter((path) => where.test(path) && is.test(read(path)))
  expect(found.filter((path) => !(path in but))).toEqual([])
  expect(Object.keys(but).filter((path) => !found.includes(path))).toEqual([])
})
