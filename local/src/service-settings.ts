import {
  addressSettingOf,
  calledBy,
  databaseOf,
  hasEvents,
  services,
  type ServiceName,
} from '@cofre/platform/service/services'

/** Addresses and files of the services on one machine: processes of `npm start`, or containers of docker compose. */
export type Place = {
  /** The settings common to every service: its address and its certificate. */
  common(service: ServiceName): Record<string, string>
  /** Returns the address of another service, `host:port`. */
  addressOf(service: ServiceName): string
  databaseUrl(database: string): string
  eventLog: Record<string, string>
  history(service: ServiceName): Record<string, string>
  /** Returns the file of a service's sealing key; `entry` is its name among the service's secrets. */
  keyFile(service: ServiceName, entry: string): string
  http: Record<string, string>
  baseUrl: string
  outboundAllowed: string
  /** The authority of the sandbox's certificate. The sandbox plays the partners and the receivers of notifications. */
  authorityFile: string
  partnersFile: string
  /** The mail server of the sandbox. */
  smtpUrl: string
  /** The voucher brands, JSON; absent for those that come with the service. */
  voucherBrands?: string
  /** The secret with which the token service signs its pushes; without the file it sends none. */
  pushSecretFile?: string
  /** The secret with which the bank signs its notices; without the file it sends none. */
  bankSecretFile?: string
  /** The secret in the URL by which the acquirer calls about disputes; without the file it does not call. */
  acquirerSecretFile?: string
}

/** Returns the settings of a service, from its row of the table and from its place. */
export function settingsOf(name: ServiceName, place: Place): Record<string, string> {
  const row = services[name]
  const addresses = calledBy(name).map((other) => [addressSettingOf(other), place.addressOf(other)] as const)
  return {
    ...place.common(name),
    DATABASE_URL: place.databaseUrl(databaseOf(name)),
    ...Object.fromEntries(addresses),
    ...(hasEvents(row) ? place.eventLog : {}),
    ...(row.history ? place.history(name) : {}),
    ...(row.seals ? { [row.seals.setting]: place.keyFile(name, row.seals.entry) } : {}),
    ...(row.fingerprints ? { [row.fingerprints.setting]: place.keyFile(name, row.fingerprints.entry) } : {}),
    ...(row.http ? place.http : {}),
    ...(row.baseUrl ? { BASE_URL: place.baseUrl } : {}),
    ...(row.outbound ? { OUTBOUND_ALLOWED: place.outboundAllowed } : {}),
    ...(row.receivers ? { NOTIFICATION_CA_FILE: place.authorityFile } : {}),
    ...(row.partners ? { PARTNERS_FILE: place.partnersFile } : {}),
    ...(row.mails ? mailSettings(place) : {}),
    ...(row.brands && place.voucherBrands ? { VOUCHER_BRANDS: place.voucherBrands } : {}),
    ...(row.pushes && place.pushSecretFile ? pushSettings(place.baseUrl, place.pushSecretFile) : {}),
    ...(row.slips && place.bankSecretFile ? { BANK_SECRET_FILE: place.bankSecretFile } : {}),
    ...(row.http && place.acquirerSecretFile
      ? { ACQUIRER_WEBHOOK_SECRET_FILE: place.acquirerSecretFile }
      : {}),
    ...row.withSandbox,
  }
}

function mailSettings({ smtpUrl, authorityFile }: Place): Record<string, string> {
  return {
    SMTP_URL: smtpUrl,
    SMTP_CA_FILE: authorityFile,
    MAIL_FROM: 'Cofre <invoices@cofre.example>',
  }
}

function pushSettings(baseUrl: string, secretFile: string): Record<string, string> {
  return {
    CALLBACK_URL: `${baseUrl}/partners/token-service/events`,
    TOKEN_SERVICE_SECRET_FILE: secretFile,
  }
}
