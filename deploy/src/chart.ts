import { hasEvents, SERVICE_NAMES, services, type ServiceRow } from '@cofre/platform/service/services'

/** What the chart's templates read: a row for each service, with what a pod of it needs. */
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
        ...(seals ? { key: keyOf(seals) } : {}),
        ...needs,
      },
    ]
  })
  return Object.fromEntries(rows) as object
}

function keyOf({ setting, entry, former }: NonNullable<ServiceRow['seals']>): object {
  return { setting, entry, ...(former ? { optional: true } : {}) }
}
