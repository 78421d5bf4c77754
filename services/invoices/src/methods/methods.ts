import {
  PaymentMethod as MethodValue,
  type AcceptedMethod as MethodMessage,
} from '@cofre/proto/invoices/v1/invoices'

/** The settings of each method, as an invoice keeps them. One that nobody gave is left out: every row has them. */
type Settings = {
  CREDIT_CARD: {
    maxInstallments?: number | null | undefined
    feePassThrough?: boolean
    /** The payment page has the issuer authenticate the payer. */
    threeDSecure?: boolean
  }
  BOLETO: { daysAfterDueDate?: number | null | undefined; instructions?: readonly string[] }
  PIX: { daysAfterDueDate?: number | null | undefined }
}

/** The contract's names, which the database and the API use too. */
export type PaymentMethod = keyof Settings

/** The methods that ask: an invoice has an open ask, which the payer answers at a bank. A card is charged instead. */
export type AskMethod = Exclude<PaymentMethod, 'CREDIT_CARD'>

/** A method with its settings, as an invoice accepts it. */
export type AcceptedMethod<Method extends PaymentMethod = PaymentMethod> = {
  [Each in Method]: { method: Each } & Settings[Each]
}[Method]

type SettingsMessage = Omit<MethodMessage, 'method'>

const NO_SETTINGS: SettingsMessage = {
  cardSettings: undefined,
  boletoSettings: undefined,
  pixSettings: undefined,
}

type Rules<Method extends PaymentMethod> = {
  read(message: SettingsMessage): AcceptedMethod<Method>
  write(accepted: AcceptedMethod<Method>): Partial<SettingsMessage>
  /** A seller who accepts it must have an account at the bank that registers boletos. */
  needsBankAccount: boolean
}

/** The table of methods. An invoice that names no method accepts these, in this order. */
const METHODS: { [Each in PaymentMethod]: Rules<Each> } = {
  CREDIT_CARD: {
    read: ({ cardSettings }) => ({ method: 'CREDIT_CARD', ...cardSettings }),
    write: ({ maxInstallments, feePassThrough = false, threeDSecure = false }) => ({
      cardSettings: { maxInstallments: maxInstallments ?? undefined, feePassThrough, threeDSecure },
    }),
    needsBankAccount: false,
  },
  BOLETO: {
    read: ({ boletoSettings }) => ({ method: 'BOLETO', ...boletoSettings }),
    write: ({ daysAfterDueDate, instructions = [] }) => ({
      boletoSettings: { daysAfterDueDate: daysAfterDueDate ?? undefined, instructions: [...instructions] },
    }),
    needsBankAccount: true,
  },
  PIX: {
    read: ({ pixSettings }) => ({ method: 'PIX', ...pixSettings }),
    write: ({ daysAfterDueDate }) => ({ pixSettings: { daysAfterDueDate: daysAfterDueDate ?? undefined } }),
    needsBankAccount: false,
  },
}

const NAMES = Object.keys(METHODS) as PaymentMethod[]

/** Every method, with its default settings. */
export const ALL_METHODS: readonly AcceptedMethod[] = NAMES.map((name) => METHODS[name].read(NO_SETTINGS))

/** The name of a method. Undefined for a value that names none. */
export function methodName(value: MethodValue): PaymentMethod | undefined {
  return NAMES.find((name) => MethodValue[name] === value)
}

/** The methods that a request accepts: all when it names none. Throws for a value that names no method. */
export function acceptedMethodsOf(messages: readonly MethodMessage[]): readonly AcceptedMethod[] {
  if (messages.length === 0) return ALL_METHODS
  return messages.map((message) => {
    const name = methodName(message.method)
    if (!name) throw new Error('an unknown payment method')
    return METHODS[name].read(message)
  })
}

export function methodMessage<Method extends PaymentMethod>(accepted: AcceptedMethod<Method>): MethodMessage {
  const { method }: { method: Method } = accepted
  return { method: MethodValue[method], ...NO_SETTINGS, ...METHODS[method].write(accepted) }
}

/** An entry of the list of an invoice, by its method. */
type Entry<Method extends PaymentMethod> = Extract<AcceptedMethod, { method: Method }>

/** The settings of a method in a list. Undefined when the list does not accept it. */
export function settingsOf<Method extends PaymentMethod>(
  accepted: readonly AcceptedMethod[],
  method: Method,
): Entry<Method> | undefined {
  return accepted.find((each): each is Entry<Method> => each.method === method)
}

/** Whether a seller must have an account at the bank for one of these methods. */
export function needsBankAccount(accepted: readonly AcceptedMethod[]): boolean {
  return accepted.some(({ method }) => METHODS[method].needsBankAccount)
}
