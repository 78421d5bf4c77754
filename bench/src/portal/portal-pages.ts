import { addDays, dayOf } from '@cofre/platform/calendar-day'
import { DOCUMENT } from '../invoices/stored-invoices'

/** What the stored charges are known by. */
export type Known = { id: string; tid: string; nsu: string; authorizationCode: string; lastFour: string }

const PAGE_MS = 150
const SEARCH_MS = 300
const DAY = dayOf(Date.now() - 10 * 86_400_000)
const YEAR_AGO = addDays(dayOf(Date.now()), -364)
const DAYS = { from: YEAR_AGO, to: dayOf(Date.now()) }

/** What a person types into a filter, by its name. All other texts and ids are a 1. */
const TYPED: Record<string, string> = {
  orderReference: 'stored',
  amount: '100,00',
  document: DOCUMENT,
  name: 'Cliente 1',
  email: 'cliente1@example.com',
  endpointId: '1',
  path: '/api/v2/charges',
  status: '200',
  resourceKind: 'charge',
  invoiceNumber: '000500000',
  endToEndId: 'E9999900820260709121500f3a91c07b',
  txid: 'a1b2c3d4e5f6a7b8c9d0e1f2a3b4c5d6',
  requestId: 'req_0123456789abcdef',
}

/** The lists that every page of the portal leads to. */
export function listsOn(html: string, root: string): string[] {
  const navigation = html.match(/<nav class="(bar main|side)"[\s\S]*?<\/nav>/g) ?? []
  const links = navigation.flatMap((nav) => [...nav.matchAll(/href="([^"]+)"/g)].map(([, path = '']) => path))
  return [...new Set(links)].filter((path) => path !== root && path !== `${root}/settings`)
}

/** What a list leads to: each of its filters alone, its second page, its first entry and its CSV. */
export function pagesOfList(html: string, path: string, known: Known): string[] {
  const filters = filtersOn(html, { ...TYPED, lastFour: known.lastFour }).map(
    (filter) => `${path}?${new URLSearchParams([filter]).toString()}`,
  )
  const next = /<a href="([^"]+)" rel="next"/.exec(html)?.[1]
  const first = new RegExp(`<tbody>[\\s\\S]*?href="(${path}/[\\w-]+)"`).exec(html)?.[1]
  const csv = /<p class="after"><a href="([^"]+)"/.exec(html)?.[1]
  return [...filters, ...[next, first, csv].flatMap((each) => each?.replaceAll('&amp;', '&') ?? [])]
}

function filtersOn(html: string, values: Record<string, string>): [name: string, value: string][] {
  const form = /<form method="get"[^>]*class="filter"[\s\S]*?<\/form>/.exec(html)?.[0] ?? ''
  const chosen = [...form.matchAll(/<select id="[^"]+" name="([^"]+)">([\s\S]*?)<\/select>/g)]
  const typed = [...form.matchAll(/<input id="[^"]+" name="([^"]+)"( type="date")?/g)]
  return [
    ...chosen.flatMap(([, name = '', options = '']) =>
      [...options.matchAll(/value="([^"]+)"/g)].map(([, value = '']): [string, string] => [name, value]),
    ),
    ...typed.map(([, name = '', date]): [string, string] => [name, date ? DAY : (values[name] ?? '1')]),
  ]
}

/** The pages that no list leads to. */
export function pagesBeside(root: string): string[] {
  const reports = ['day', 'week', 'month'].flatMap((by) =>
    [{ by }, { by, ...DAYS }].map((query) => `/reports?${new URLSearchParams(query).toString()}`),
  )
  const ofLists = [
    `createdFrom=${DAY}&createdTo=${DAY}`,
    'status=DENIED',
    `status=CAPTURED&createdFrom=${DAY}`,
  ]
  return ['', ...reports, '/reports.csv', ...ofLists.map((query) => `/charges?${query}`)].map(
    (path) => root + path,
  )
}

/** Searches for what a charge, an invoice and a customer are known by, and for what nobody has. */
export function searchesFor(root: string, charge: Known): string[] {
  const known = [
    ...Object.values(charge),
    'stored',
    DOCUMENT,
    '000500000',
    'Cliente 1',
    'cliente1@example.com',
  ]
  const absent = ['nobody', 'req_0123456789abcdef', 'E9999900820260709121500f3a91c07b', '987654321']
  return [...known, ...absent].map((q) => `${root}/search?${new URLSearchParams({ q }).toString()}`)
}

export function budgetOf(path: string): number {
  return path.includes('/search?') ? SEARCH_MS : PAGE_MS
}
