const SNIPPET_MAX_BYTES = 1024
// As many digits in a row as no reference of ours has, and every card's number.
const LONG_NUMBER = /\d(?:[ .\-/]?\d){10,}/g
const NUMBER_AT_THE_END = /\d(?:[ .\-/]?\d)*$/

/** The beginning of what a receiver answered, read no further than that; what was heard counts when it breaks off. */
export async function readSnippet(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  let isWhole = true
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      size += chunk.length
      if (size > SNIPPET_MAX_BYTES) break
    }
  } catch {
    // The status was heard, and it alone decides.
    isWhole = false
  }
  return snippetOf(Buffer.concat(chunks), isWhole)
}

/** As text that may be kept and shown: long numbers masked, one that is cut off too, nothing that is no character. */
export function snippetOf(bytes: Buffer, isWhole: boolean): string {
  const kept = new TextDecoder().decode(bytes.subarray(0, SNIPPET_MAX_BYTES))
  const shown = isWhole && bytes.length <= SNIPPET_MAX_BYTES ? kept : kept.replace(NUMBER_AT_THE_END, masked)
  return shown
    .replace(LONG_NUMBER, masked)
    .replace(/[^\P{C}\n\t]/gu, ' ')
    .trimEnd()
}

function masked(digits: string): string {
  return digits.replaceAll(/\d/g, '*')
}
