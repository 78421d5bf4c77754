import { startMeasuredSystem, type MeasuredSystem } from '../measured-system'
import type { Systems } from './by-turns'
import { measureChanges, measureList, worstOf, type MeasuredCost } from './invoice-costs'
import { measureExport, type Export } from './invoice-export'
import { filtersOf, pairsOf, type InvoiceList } from './invoice-lists'
import { inDatabase } from '../in-database'
import { numberOf, storeInvoices } from './stored-invoices'

/** The size of the small system. All its invoices belong to one seller, so its pages are just as full. */
const FEW = 1_000
const CHARGES = 1_000
/** With many invoices, p50 and p99 may be at most this multiple of those with few. */
const RATIO_MAX = 1.5
const ALL: InvoiceList = { name: 'all', query: '' }

export type InvoicesOptions = { rows: number; sellers: number; seconds: number }
export type InvoicesResult = { costs: MeasuredCost[]; exports: Export[]; kept: boolean }

/** Measures lists, changes and exports with `rows` invoices of many sellers, and the same with few invoices. */
export async function measureInvoices(
  options: InvoicesOptions,
  progress: (text: string) => void,
): Promise<InvoicesResult> {
  const started: MeasuredSystem[] = []
  try {
    const start = async (name: string, rows: number, sellers: number) => {
      progress(`starting a system for ${name} invoices`)
      const system = await startMeasuredSystem({ charges: CHARGES, settings: {}, progress: () => {} })
      started.push(system)
      await store(system, rows, sellers, progress)
      return system
    }
    const systems: Systems = {
      few: await start('few', FEW, 1),
      many: await start('many', options.rows, options.sellers),
    }
    return await measureAll(systems, options, progress)
  } finally {
    for (const system of started) await system.stop()
  }
}

async function measureAll(
  systems: Systems,
  { rows, sellers, seconds }: InvoicesOptions,
  progress: (text: string) => void,
): Promise<InvoicesResult> {
  const { many } = systems
  // Every invoice whose number is a multiple of `sellers` belongs to the measured seller.
  const filters = filtersOf(numberOf(sellers), Date.now())
  const pairs = pairsOf(filters)
  progress(`looking for the worst of ${pairs.length} pairs of filters`)
  const lists = [ALL, ...filters, await worstOf(many, pairs)]
  const costs: MeasuredCost[] = []
  for (const list of lists) {
    progress(`list by ${list.name}`)
    costs.push(...(await measureList(systems, list, seconds)))
  }
  progress('create and finalize')
  costs.push(...(await measureChanges(systems, seconds)))
  progress('exporting')
  const exports = [await measureExport(many)]
  await store(many, rows, 1, progress)
  progress('exporting all of them')
  exports.push(await measureExport(many))
  return { costs, exports, kept: costs.every(isKept) }
}

function isKept({ few, many }: MeasuredCost): boolean {
  return many.p50 <= RATIO_MAX * few.p50 && many.p99 <= RATIO_MAX * few.p99
}

async function store(
  system: MeasuredSystem,
  rows: number,
  sellers: number,
  progress: (text: string) => void,
): Promise<void> {
  const stock = { sellerId: system.target.sellerId, rows, sellers }
  await inDatabase(system, 'invoices', (client) => storeInvoices(client, stock, progress))
}
