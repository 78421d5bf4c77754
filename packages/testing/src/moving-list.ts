type Id = number | string

/** What the link to the next page carries. */
export type Beginning = { after?: Id | undefined; place?: string | undefined }

/** A list whose rows come and go. `page`: the first entries, or those that follow; `next`: where the next page begins. */
export type MovingList = {
  add: () => Promise<Id>
  remove: (id: Id) => Promise<unknown>
  page: (size: number, from: Beginning) => Promise<{ ids: readonly Id[]; next: Beginning | undefined }>
}

/** What happens before the next page: whether the last row seen goes, which others go, and how many come. */
export type Meanwhile = { lastGoes: boolean; go: readonly number[]; come: number }

/**
 * Reads a list to its end while rows come and go. Returns which rows came how often: those that stood all the while, each
 * of which must come once, and the others, none of which may come twice.
 */
export async function walk(
  list: MovingList,
  { rows, size, meanwhile }: { rows: number; size: number; meanwhile: readonly Meanwhile[] },
): Promise<{ stood: number[]; others: number[] }> {
  const standing = new Set<Id>()
  const others = new Set<Id>()
  for (let row = 0; row < rows; row += 1) standing.add(await list.add())
  const remove = async (id: Id | undefined) => {
    if (id === undefined || !standing.delete(id)) return
    others.add(id)
    await list.remove(id)
  }
  const seen: Id[] = []
  let from: Beginning | undefined = {}
  for (let turn = 0; from; turn += 1) {
    const page: Awaited<ReturnType<MovingList['page']>> = await list.page(size, from)
    seen.push(...page.ids)
    from = page.next
    const { lastGoes, go, come } = meanwhile[turn] ?? NOTHING
    if (lastGoes) await remove(seen.at(-1))
    for (const place of go) await remove([...standing][place % Math.max(standing.size, 1)])
    for (let row = 0; row < come; row += 1) others.add(await list.add())
  }
  const timesOf = (ids: Set<Id>) => [...ids].map((id) => seen.filter((each) => each === id).length)
  return { stood: timesOf(standing), others: timesOf(others) }
}

const NOTHING: Meanwhile = { lastGoes: false, go: [], come: 0 }

/** The end of a page of a service as the beginning of the next one. */
export function following(
  rows: readonly { id: Id }[],
  { more, place }: { more: boolean; place?: string | undefined },
): { ids: Id[]; next: Beginning | undefined } {
  const ids = rows.map(({ id }) => id)
  return { ids, next: more ? { after: ids.at(-1), place } : undefined }
}
