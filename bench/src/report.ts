import { SERVICE_NAMES } from '@cofre/platform/service/services'
import { at, checkBudgets, ownCpuMs } from './budgets'
import { sumOf } from './figures'
import type { Delivery, PathResult, Result } from './result'
import type { StatementCost } from './statements'

const PROCESSES = [...SERVICE_NAMES, 'postgres', 'sandbox']

/** The columns of the bare programs in the table. */
const BARE_COLUMNS = {
  'ceiling gateway': 'gateway',
  'ceiling backend': 'orders',
  'bare path gateway': 'gateway',
  'bare path backend': 'orders',
  'bare path vault': 'vault',
}

/** Returns one run as Markdown: budgets, paths, CPU time, statements, memory. */
export function reportOf(result: Result): string {
  return [
    `## Node ${result.node}`,
    table(
      ['budget', 'limit', 'found', ''],
      checkBudgets(result).map(({ budget, unit, found, kept }) => [
        budget,
        unit,
        digits(found),
        kept ? 'kept' : '**missed**',
      ]),
    ),
    table(
      [
        'path',
        'clients',
        'requests/s',
        'p50 ms',
        'p95 ms',
        'p99 ms',
        'SQL',
        'of the ceiling',
        'of the bare path',
        "own CPU of the bare path's",
      ],
      [
        ...result.authorize,
        ...result.voucherPayment,
        ...result.barePath,
        ...result.ceiling,
        result.partner,
        ...result.paths,
      ].map((each) => pathRow(result, each)),
    ),
    `Own time of authorize, one client, p50: ${digits(ownTime(result))} ms. Event to first delivery, ` +
      `${result.delivery.count} charges one after another: ${delaysOf(result.delivery)}; beside 16 clients: ${delaysOf(result.busyDelivery)}.`,
    'CPU time in milliseconds per request, with all that the request sets going:',
    table(
      ['path', 'clients', ...PROCESSES, 'ours', 'load generator'],
      [
        ...result.authorize,
        ...result.voucherPayment,
        ...result.barePath,
        ...result.ceiling,
        ...result.paths,
      ].map(cpuRow),
    ),
    'SQL of one authorize (one client), with the relay and the consumer:',
    statementsTable(at(result.authorize, 1).statements ?? []),
    `Programs outside the bench took ${(result.others * 100).toFixed(0)} % of the machine while authorize and the ceiling were measured.`,
    `Idle memory, MiB: ${Object.entries(result.idleMemory)
      .map(([name, mib]) => `${name} ${mib.toFixed(0)}`)
      .join(
        ', ',
      )}; together ${sumOf(result.idleMemory).toFixed(0)}. Start to ready with the data present: ${result.startSeconds.toFixed(1)} s.`,
    ...(result.firstFailure === null ? [] : [`The first failure: \`${result.firstFailure}\``]),
  ].join('\n\n')
}

function delaysOf({ p50, p99 }: Delivery): string {
  return `p50 ${digits(p50)} ms, p99 ${digits(p99)} ms`
}

function ownTime({ authorize, partner }: Result): number {
  return at(authorize, 1).figures.p50 - partner.figures.p50
}

function pathRow(result: Result, each: PathResult): string[] {
  const { path, clients, figures, statements } = each
  const [ceiling, barePath] = [at(result.ceiling, clients), at(result.barePath, clients)]
  const compared = path === 'authorize'
  return [
    path,
    String(clients),
    figures.perSecond.toFixed(0),
    ...[figures.p50, figures.p95, figures.p99].map(digits),
    statements ? digits(statements.reduce((sum, { perRequest }) => sum + perRequest, 0)) : '',
    compared ? (figures.perSecond / ceiling.figures.perSecond).toFixed(2) : '',
    compared ? (figures.perSecond / barePath.figures.perSecond).toFixed(2) : '',
    compared ? `${(ownCpuMs(each) / ownCpuMs(barePath)).toFixed(1)} ×` : '',
  ]
}

function cpuRow(each: PathResult): string[] {
  const { path, clients, figures } = each
  const cpu: Record<string, number> = { ...figures.cpu }
  for (const [name, column] of Object.entries(BARE_COLUMNS)) {
    if (cpu[name] !== undefined) cpu[column] = cpu[name]
  }
  const columns = PROCESSES.map((name) => (cpu[name] === undefined ? '' : cpu[name].toFixed(2)))
  return [
    path,
    String(clients),
    ...columns,
    ownCpuMs(each).toFixed(2),
    (cpu['load generator'] ?? 0).toFixed(2),
  ]
}

/** Returns a table in Markdown of what a request has PostgreSQL run. */
export function statementsTable(statements: readonly StatementCost[]): string {
  return table(
    ['database', 'per request', 'mean ms', 'statement'],
    statements.map(({ database, perRequest, meanMs, text }) => [
      database,
      digits(perRequest),
      meanMs.toFixed(3),
      `\`${text.slice(0, 90).replaceAll('|', '\\|').replaceAll('`', '')}\``,
    ]),
  )
}

/** Returns a table in Markdown. */
export function table(head: string[], rows: string[][]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Formats a value with about three digits: a run cannot promise more. */
function digits(value: number): string {
  if (Number.isInteger(value)) return String(value)
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
