/**
 * A text as it is searched: in upper or lower case, its accents composed or not. Made here, because a database without
 * a language lowercases ASCII letters alone.
 */
export function searchKey(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}

/** The words of a name as they are searched, without accents, a space between them. */
export function wordsKey(name: string): string {
  const plain = searchKey(name.normalize('NFKD').replaceAll(/\p{M}/gu, ''))
  return plain.replaceAll(/[^\p{L}\p{N}]+/gu, ' ').trim()
}
