import { SERVICE_NAMES } from '@cofre/platform/service/services'

/** Prometheus beside docker compose, with a job for each service: rules and the dashboard distinguish them by job. */
export function prometheus(): object {
  return {
    global: { scrape_interval: '10s' },
    rule_files: ['/etc/prometheus/rules/*.yaml'],
    scrape_configs: SERVICE_NAMES.map((name) => ({
      job_name: name,
      static_configs: [{ targets: [`${name}:9464`] }],
    })),
  }
}

/** The alert that needs the list of services: a service without any metrics in Prometheus is down too. */
export function serviceAlerts(): object {
  const absent = SERVICE_NAMES.map((name) => `absent(up{job="${name}"})`)
  const down = `sum by (job) (up{job=~"${SERVICE_NAMES.join('|')}"}) == 0`
  const alert = {
    alert: 'CofreServiceDown',
    expr: [down, ...absent].join(' or '),
    for: '2m',
    labels: { severity: 'critical' },
    annotations: { summary: 'no pod of {{ $labels.job }} answers' },
  }
  return { groups: [{ name: 'cofre-services', rules: [alert] }] }
}

/** A `promtool test rules`: the first service goes down, the last disappears, the others stay. `rules` is a path. */
export function serviceAlertsTest(rules: string): object {
  const [first = '', last = ''] = [SERVICE_NAMES[0], SERVICE_NAMES.at(-1)]
  const upOf = (name: string) => (name === first ? '1x10 0x300' : name === last ? '1x200' : '1x300')
  const alertOf = (job: string) => ({
    exp_labels: { severity: 'critical', job },
    exp_annotations: { summary: `no pod of ${job} answers` },
  })
  const expected = (eval_time: string, jobs: string[]) => ({
    eval_time,
    alertname: 'CofreServiceDown',
    ...(jobs.length > 0 ? { exp_alerts: jobs.map(alertOf) } : {}),
  })
  return {
    rule_files: [rules],
    evaluation_interval: '1m',
    tests: [
      {
        interval: '1m',
        input_series: SERVICE_NAMES.map((name) => ({ series: `up{job="${name}"}`, values: upOf(name) })),
        alert_rule_test: [expected('5m', []), expected('20m', [first]), expected('220m', [first, last])],
      },
    ],
  }
}
