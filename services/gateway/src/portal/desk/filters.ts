import type { Request } from 'express'
import { parameter } from '../../pages/form'
import { centsOf } from './fields'
import type { Filter, Thing } from './thing'

/** The filters as the API takes them: an amount, which stands in the address in reais, as cents. */
export function queryOf(
  { filters }: Pick<Thing, 'filters'>,
  given: Record<string, string>,
): Record<string, string> {
  const query = Object.entries(given).map(([name, value]) => {
    const { kind } = filters.find((each) => each.name === name) ?? {}
    return [name, kind === 'money' ? String(centsOf(value)) : value] as const
  })
  return Object.fromEntries(query)
}

/** Returns the filters that are set in the address, by the names of the API. */
export function readFilters(req: Request, filters: readonly Filter[]): Record<string, string> {
  return offered(filters, (name) => parameter(req, name))
}

/** Returns the filters that are set. Choices that nobody offered are left out. */
export function offered(
  filters: readonly Filter[],
  valueOf: (name: string) => string,
): Record<string, string> {
  const given = filters.map(({ name, options }) => {
    const value = valueOf(name).slice(0, 255)
    const isOffered = !options || options.some(([each]) => each === value)
    return [name, isOffered ? value : ''] as const
  })
  return Object.fromEntries(given.filter(([, value]) => value !== ''))
}
