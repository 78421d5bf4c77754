type Page<Entry> = { entries: readonly Entry[]; more: boolean }

/** Reads a list to its end, page by page. `read`: the page that follows the entry with this id. */
export async function readAll<Entry extends { id: string | number }>(
  read: (after?: Entry['id']) => Promise<Page<Entry>>,
): Promise<Entry[]> {
  const all: Entry[] = []
  for (;;) {
    const { entries, more } = await read(all.at(-1)?.id)
    all.push(...entries)
    // A page without entries leads no further, whatever it says.
    if (!more || entries.length === 0) return all
  }
}
