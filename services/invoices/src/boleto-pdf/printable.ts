/** Letters that Unicode does not decompose into Latin ones, each followed by its printed form. */
const LETTERS = [
  'ŁL łl ĐD đd ĦH ħh ŦT ŧt ıi ŒOE œoe ŊN ŋn ẞSS ƏA əa ƁB ɓb ƊD ɗd ƘK ƙk',
  "ʻ' ʼ' ‚' „\" ‑- −-",
  'ΑA ΒV ΓG ΔD ΕE ΖZ ΗI ΘTh ΙI ΚK ΛL ΜM ΝN ΞX ΟO ΠP ΡR ΣS ςs ΤT ΥY ΦF ΧCh ΨPs ΩO',
  'АA БB ВV ГG ҐG ДD ЕE ЖZh ЗZ ИI ЙI ІI КK ЛL МM НN ОO ПP РR СS ТT УU ФF ХKh ЦTs ЧCh ШSh ЩShch Ъ ЫY Ь ЭE ЄIe ЮIu ЯIa',
]
const LATIN = new Map(
  LETTERS.flatMap((line) => line.split(' ')).map(([letter = '', ...latin]) => [letter, latin.join('')]),
)

/** Characters outside Windows-1252, the letters of the fonts that every PDF reader has. */
const OTHERS = /[^\n\u0020-\u007e\u00a0-\u00ac\u00ae-\u00ff–—‘’“”•…€]/gu
/** Marks and control characters, which only join or change other letters. */
const INVISIBLE = /[\p{M}\p{Cf}\p{Cc}]/gu

/**
 * Returns a text in the letters that can be printed. Accents that the fonts lack are left out; Greek and Cyrillic
 * letters are written in Latin ones. A character without a Latin letter becomes a question mark.
 */
export function printable(text: string): string {
  return text.normalize('NFC').replaceAll(OTHERS, (letter) => {
    const plain = letter.normalize('NFKD').replaceAll(INVISIBLE, '')
    return Array.from(plain, latinOf).join('')
  })
}

function latinOf(letter: string): string {
  if (/^[\u0020-\u007e]$/.test(letter)) return letter
  const upper = LATIN.get(letter.toUpperCase())
  return LATIN.get(letter) ?? (upper === undefined ? '?' : upper.toLowerCase())
}
