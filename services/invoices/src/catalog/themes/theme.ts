/** How a seller's invoices look. Colors: # and three or six hexadecimal digits. */
export type Theme = {
  primaryColor: string
  secondaryColor: string
  /** Null: no logo. */
  logoUrl: string | null
  headerBackground: string
  headerText: string
  bodyBackground: string
  bodyText: string
}

export const DEFAULT_THEME: Theme = {
  primaryColor: '#1F4FD8',
  secondaryColor: '#5B6472',
  logoUrl: null,
  headerBackground: '#FFFFFF',
  headerText: '#1A1C1F',
  bodyBackground: '#F5F6F8',
  bodyText: '#1A1C1F',
}

export function isColor(text: string): boolean {
  return /^#([0-9A-Fa-f]{3}){1,2}$/.test(text)
}
