/** Common names of other APIs and of Portuguese forms, in lower case, and the members that mean the same here. */
const SYNONYMS: Readonly<Record<string, string>> = {
  complement: 'lineTwo',
  complemento: 'lineTwo',
  addresscomplement: 'lineTwo',
  line2: 'lineTwo',
  addressline2: 'lineTwo',
  number: 'streetNumber',
  numero: 'streetNumber',
  housenumber: 'streetNumber',
  zip: 'zipCode',
  cep: 'zipCode',
  postcode: 'zipCode',
  postalcode: 'zipCode',
  line1: 'street',
  addressline1: 'street',
  logradouro: 'street',
  rua: 'street',
  district: 'neighborhood',
  bairro: 'neighborhood',
  cidade: 'city',
  town: 'city',
  estado: 'state',
  uf: 'state',
  province: 'state',
  region: 'state',
  cpf: 'document',
  cnpj: 'document',
  taxid: 'document',
  nome: 'name',
  dateofbirth: 'birthdate',
  telefone: 'phone',
}

/** Returns the known member that means the same as an unknown name; undefined when there is none. */
export function synonymOf(name: string, known: readonly string[]): string | undefined {
  const plain = name.toLowerCase().replace(/[_-]/g, '')
  const meant = Object.hasOwn(SYNONYMS, plain) ? SYNONYMS[plain] : undefined
  return meant !== undefined && known.includes(meant) ? meant : undefined
}

/** True for the country of an address. Addresses have none, because all are in Brazil. */
export function isCountry(name: string, known: readonly string[]): boolean {
  return /^(country|pais)([_-]?code)?$/i.test(name) && known.includes('zipCode')
}
