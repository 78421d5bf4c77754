import { addressSettingOf, calledBy, type CalledBy, type ServiceName } from './services'
import { addressSetting, nameInCode } from './settings'

type Snake<Name> = Name extends `${infer Word}-${infer Rest}` ? `${Word}_${Snake<Rest>}` : Name & string
type Settings<Name extends ServiceName> = {
  readonly [Other in CalledBy<Name> as `${Uppercase<Snake<Other>>}_ADDRESS`]: typeof addressSetting
}

/** An address setting, such as VAULT_ADDRESS, for each service that this one calls. */
export function addressSettings<Name extends ServiceName>(name: Name): Settings<Name> {
  const settings = calledBy(name).map((other) => [addressSettingOf(other), addressSetting])
  return Object.fromEntries(settings) as Settings<Name>
}

/** The address of each service that this one calls, from the values of `addressSettings`. */
export function addressesOf<Name extends ServiceName>(
  name: Name,
  config: object,
): Record<CalledBy<Name>, string> {
  const read = config as Record<string, string>
  const addresses = calledBy(name).map((other) => [other, read[nameInCode(addressSettingOf(other))]])
  return Object.fromEntries(addresses) as Record<CalledBy<Name>, string>
}
