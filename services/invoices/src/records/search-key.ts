/**
 * A text as it is searched: in upper or lower case, its accents composed or not. Made here, because a database without
 * a language lowercases ASCII letters alone.
 */
export function searchKey(text: string): string {
  return text.normalize('NFKC').toLowerCase()
}
