import { hasEvents, SERVICE_NAMES, services } from '@cofre/platform/service/services'

/** Returns the data for the chart's templates: a row for each service, with the needs of its pods. */
export function chartServices(): object {
  const rows = SERVICE_NAMES.map((name) => {
    const {
      calls,
      seals,
      publishes: _publishes,
      reads: _reads,
      withSandbox: _withSandbox,
      ...needs
    } = services[name]
    return [
      name,
      {
        calls,
        ...(hasEvents(services[name]) ? { events: true } : {}),
        ...(seals ? { key: seals } : {}),
        ...needs,
      },
    ]
  })
  return Object.fromEntries(rows) as object
}
