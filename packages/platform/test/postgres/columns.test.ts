import { assigned, changing, changingTime, fixed, fixedTime, named, table } from '../../src/postgres/columns'

type Thing = {
  id: number
  shortName: string | null
  place: { city: string; zipCode: string }
  end: { why: string; isFinal: boolean } | null
  askAt: number | null
  createdAt: number
}

const THINGS = table<Thing>({
  id: assigned,
  shortName: named('label', fixed),
  place: { fields: { city: fixed, zipCode: changing } },
  end: { prefix: 'end_', fields: { why: changing, isFinal: changing } },
  askAt: changingTime,
  createdAt: fixedTime,
})

const thing: Thing = {
  id: 7,
  shortName: null,
  place: { city: 'Recife', zipCode: '50000000' },
  end: null,
  askAt: null,
  createdAt: 1_767_225_600_412,
}

test('the statements are made from the table: an insert names every column but the assigned ones', () => {
  expect(THINGS.inserted()).toBe('label, city, zip_code, end_why, end_is_final, ask_at, created_at')
  expect(THINGS.inserted('r')).toBe(
    'r.label, r.city, r.zip_code, r.end_why, r.end_is_final, r.ask_at, r.created_at',
  )
})

test('an update writes the columns that change', () => {
  expect(THINGS.updated('r')).toBe(
    'zip_code = r.zip_code, end_why = r.end_why, end_is_final = r.end_is_final, ask_at = r.ask_at',
  )
})

test.each<Thing>([thing, { ...thing, shortName: 'x', end: { why: 'late', isFinal: false }, askAt: 1 }])(
  'a value is read as it was written',
  (value) => {
    const row = JSON.parse(JSON.stringify(THINGS.toRow(value)))
    expect(THINGS.fromRow(row)).toEqual(value)
  },
)

test('times are ISO in the row, and a group that is null is null in each of its columns', () => {
  expect(THINGS.toRow(thing)).toMatchObject({
    created_at: '2026-01-01T00:00:00.412Z',
    ask_at: null,
    end_why: null,
    end_is_final: null,
  })
})

test('a field without a column does not compile', () => {
  // @ts-expect-error createdAt is missing
  table<Pick<Thing, 'id' | 'createdAt'>>({ id: assigned })
  // @ts-expect-error zipCode is missing in its group
  table<Pick<Thing, 'place'>>({ place: { fields: { city: fixed } } })
  expect(table<Pick<Thing, 'id'>>({ id: fixed }).inserted()).toBe('id')
})
