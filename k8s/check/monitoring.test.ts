import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { CHART } from './render'

const ROOT = join(__dirname, '../..')

type Alerts = { groups: { rules: { alert: string; expr: string }[] }[] }
type Dashboard = { panels: { id: number; title: string; targets: { expr: string }[] }[] }

const alerts = readdirSync(join(CHART, 'alerts')).map(
  (file) => parse(readFileSync(join(CHART, 'alerts', file), 'utf8')) as Alerts,
)
const dashboard = JSON.parse(readFileSync(join(CHART, 'dashboards/cofre.json'), 'utf8')) as Dashboard
const rules = alerts.flatMap(({ groups }) => groups).flatMap((group) => group.rules)

/** Returns the metrics that the services expose, under their names in Prometheus. */
function toldMetrics(): Set<string> {
  const folders = [
    'packages/platform/src',
    ...readdirSync(join(ROOT, 'services')).map((name) => `services/${name}/src`),
  ]
  const text = folders
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => file.endsWith('.ts'))
        .map((file) => readFileSync(join(ROOT, folder, file), 'utf8')),
    )
    .join('\n')
  const named = (called: string) =>
    [...text.matchAll(new RegExp(`\\b${called}\\(\\s*'([a-z][a-z0-9_]+)'`, 'g'))].map(([, name = '']) => name)
  return new Set([
    'up',
    ...named('observe'),
    ...named('observeEach'),
    ...named('count').map((name) => `${name}_total`),
    ...named('recordDuration').flatMap((name) => [`${name}_count`, `${name}_bucket`, `${name}_sum`]),
  ])
}

/** Returns the names of metrics in an expression: words before a selector, a range or a closing bracket. */
function metricsIn(expression: string): string[] {
  const bare = expression.replaceAll(/"[^"]*"/g, '').replaceAll(/\b(by|without|on|ignoring)\s*\([^)]*\)/g, '')
  const words = bare.replaceAll(/\{[^}]*\}/g, '').match(/[a-z][a-z0-9_]*(?!\w)(?!\s*\()/g) ?? []
  return words.filter((word) => word.includes('_') || word === 'up').filter((word) => !word.startsWith('__'))
}

const told = toldMetrics()

test.each(rules)('the alert $alert uses metrics that the services expose', ({ expr }) => {
  expect(metricsIn(expr.replaceAll('$__rate_interval', '5m')).length).toBeGreaterThan(0)
  expect(metricsIn(expr).filter((name) => !told.has(name))).toEqual([])
})

test.each(dashboard.panels)('the panel "$title" uses metrics that the services expose', ({ targets }) => {
  const asked = targets.flatMap(({ expr }) => metricsIn(expr.replaceAll('$__rate_interval', '5m')))
  expect(asked.length).toBeGreaterThan(0)
  expect(asked.filter((name) => !told.has(name))).toEqual([])
})

test('an expression with a metric that no service exposes is found', () => {
  expect(metricsIn('sum by (job) (rate(charges_lost_total{job="orders"}[5m])) > 0')).toEqual([
    'charges_lost_total',
  ])
  expect(told.has('charges_lost_total')).toBe(false)
})

test('docs/operations.md describes each alert', () => {
  const text = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8')
  expect(rules.filter(({ alert }) => !text.includes(`\`${alert}\``)).map(({ alert }) => alert)).toEqual([])
})
