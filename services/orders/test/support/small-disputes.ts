import type { Reply } from './small-acquirer'

/** A case of the small acquirer. */
export type SmallCase = {
  idCase: string
  idChargeback: string
  establishmentNumber: string
  process: string
  deadline: string
  /** Reais, as Cielo writes them. */
  amount: number
  sale: { tid?: string; nsu?: string; authorization?: string; date?: string }
  state: 'open' | 'done'
  action: string
  actionTakenCode: string
  answers: { kind: 'accept' | 'refuse'; idChargeback: string; body: Buffer }[]
}

/** The chargeback API of the small acquirer: what facts/chargebacks.md says of it. */
export class SmallDisputes {
  readonly cases: SmallCase[] = []
  private lastId = 49_701_000

  /** Opens a case. Without a sale it names none. */
  open(establishmentNumber: string, changes: Partial<SmallCase> = {}): SmallCase {
    this.lastId += 1
    const opened: SmallCase = {
      idCase: String(this.lastId),
      idChargeback: String(this.lastId - 49_000_000),
      establishmentNumber,
      process: 'PRIMEIRO_CHARGEBACK',
      deadline: '2099-12-18',
      amount: 100,
      sale: {},
      state: 'open',
      action: '',
      actionTakenCode: '',
      answers: [],
      ...changes,
    }
    this.cases.push(opened)
    return opened
  }

  /** The case goes on to a later stage, and waits for an answer. */
  reopen(one: SmallCase, process: string): void {
    this.lastId += 1
    Object.assign(one, {
      process,
      idChargeback: String(this.lastId - 49_000_000),
      state: 'open',
      action: '',
      actionTakenCode: '',
    })
  }

  answer(url: URL, body: Buffer): Reply {
    if (url.pathname.startsWith('/lifecycle/'))
      return this.lifeCycle(url.pathname.slice('/lifecycle/'.length))
    if (url.pathname === '/accept') return this.accept(JSON.parse(body.toString()))
    if (url.pathname === '/refuse') return this.refuse(body)
    return this.list(url, JSON.parse(body.toString()))
  }

  private list(url: URL, asked: { establishmentNumber: string[]; idCase?: string }): Reply {
    const state = url.pathname === '/PENDING' ? 'open' : 'done'
    const [page, size] = [Number(url.searchParams.get('page')), Number(url.searchParams.get('pageSize'))]
    const found = this.cases.filter(
      (one) =>
        one.state === state &&
        asked.establishmentNumber.includes(one.establishmentNumber) &&
        (asked.idCase === undefined || asked.idCase === one.idCase),
    )
    if (found.length === 0) return { status: 200, body: { code: 103, message: 'Não há registros' } }
    const content = found.slice(page * size, (page + 1) * size).map(describe)
    // The manual shows both forms.
    return { status: 200, body: state === 'open' ? { content, last: true } : content }
  }

  private lifeCycle(idCase: string): Reply {
    const one = this.cases.find((each) => each.idCase === idCase)
    const steps = one?.action ? [{ action: one.action, actionDate: '2024-12-14' }] : []
    return { status: 200, body: steps }
  }

  private accept(asked: { updateChargeback: { idChargeback: string }[] }): Reply {
    const [{ idChargeback } = { idChargeback: '' }] = asked.updateChargeback
    const code = this.take('accept', idChargeback, Buffer.from(JSON.stringify(asked)))
    return { status: 200, body: [{ idChargeback, code: code === '931' ? code : '101', message: '' }] }
  }

  private refuse(body: Buffer): Reply {
    const [, idChargeback = ''] = /name="idChargeback"\r\n\r\n(\d+)/.exec(body.toString('latin1')) ?? []
    const code = this.take('refuse', idChargeback, body)
    return { status: code === '931' ? 412 : 200, body: { code: code === '931' ? code : '102', message: '' } }
  }

  private take(kind: 'accept' | 'refuse', idChargeback: string, body: Buffer): string {
    const one = this.cases.find((each) => each.idChargeback === idChargeback)
    if (!one || one.state !== 'open') return '931'
    one.answers.push({ kind, idChargeback, body })
    const action = kind === 'accept' ? 'A favor do Emissor' : 'Em análise com o Emissor'
    Object.assign(one, { state: 'done', action, actionTakenCode: kind === 'accept' ? 'ACATADO' : 'RECUSADO' })
    return ''
  }
}

/** As Cielo's samples are: numbers without quotes, and members left out. */
function describe(one: SmallCase): object {
  const { tid, nsu, authorization, date } = one.sale
  return {
    idCase: Number(one.idCase),
    idChargeback: Number(one.idChargeback),
    establishmentNumber: Number(one.establishmentNumber),
    process: one.process,
    ...(one.state === 'open'
      ? { treatmentDeadline: one.deadline }
      : { actionTakenCode: one.actionTakenCode }),
    lifecycle: one.action ? { action: one.action, actionDate: '2024-12-14' } : {},
    transactionAmount: one.amount,
    transactionDetails: {
      transactionDate: date ?? '2024-12-01',
      authorization,
      cardAssociation: 1,
      cardAssociationName: 'VISA',
      truncatedCard: '411111******1111',
      currency: 'REAL',
      nsu: nsu === undefined ? undefined : Number(nsu),
      tid,
    },
    chargebackDetails: {
      reasonCode: '104',
      reasonDescription: 'Outra fraude: cartão ausente',
      receptionDate: '2024-12-09',
    },
  }
}
